package io.mio.cli.bench;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Arguments that are as they have to be, or an exception that says how. */
final class Checks {
    private Checks() {}

    /**
     * @throws IllegalArgumentException with that message, if it is not right
     */
    static void check(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * A name of a file as a path.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Path path(String option, String name) {
        check(!name.isEmpty(), option + ": the name is empty");
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    option + ": no name of a file here: " + e.getReason(), e);
        }
    }
}
