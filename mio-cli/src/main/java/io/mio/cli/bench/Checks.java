package io.mio.cli.bench;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Checks of arguments; a failure is an exception that says how they have to be. */
final class Checks {
    private Checks() {}

    /**
     * Checks a condition.
     *
     * @throws IllegalArgumentException with that message, if it does not hold
     */
    static void check(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * Returns a name of a file as a path.
     *
     * @throws IllegalArgumentException if the text cannot be one
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
