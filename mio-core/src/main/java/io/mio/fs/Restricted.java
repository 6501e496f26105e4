package io.mio.fs;

import io.mio.config.StackSpec;
import io.mio.stack.Stacks;
import java.io.IOException;

/**
 * A JVM with a security manager (possible until JDK 23): its code has no more rights than whoever
 * has called it, and what layers need, few programs have. There every file that is opened is the
 * platform's own object.
 */
final class Restricted {
    private Restricted() {}

    /** One look at a field. */
    @SuppressWarnings("removal")
    static boolean isOn() {
        return System.getSecurityManager() != null;
    }

    /**
     * Before the platform opens a file, which may be any, and may cut it: what is cut has nothing
     * left to be written. A page that cannot be written is told of at the next write or close.
     */
    static void opening(PageFiles pages) {
        if (!pages.any()) {
            return;
        }
        try {
            pages.publishAll();
        } catch (IOException e) {
            return;
        }
    }

    /** Tells of a file that a rule matches, if the program has the right to look, and to tell. */
    static void tell(Stacks stacks, String name) {
        try {
            StackSpec spec = stacks.match(name);
            if (spec != null) {
                stacks.debug(spec, name, "past MIO, because the JVM has a security manager");
            }
        } catch (SecurityException | LinkageError e) {
            // Nobody can be told.
            return;
        }
    }
}
