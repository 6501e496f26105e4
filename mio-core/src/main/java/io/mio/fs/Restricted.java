package io.mio.fs;

import io.mio.config.StackSpec;
import io.mio.stack.Stacks;
import java.io.IOException;

/**
 * Tells whether the JVM has a security manager (possible until JDK 23). Under one, MIO's code has
 * no more rights than its caller, and few programs have the rights that layers need. So every file
 * that is opened is then the platform's own object.
 */
final class Restricted {
    private Restricted() {}

    /** True if there is one; costs one look at a field. */
    @SuppressWarnings("removal")
    static boolean isOn() {
        return System.getSecurityManager() != null;
    }

    /**
     * Publishes all files before the platform opens one, which may be any of them and may be cut:
     * of a file that is cut nothing may be left to be written. A page that cannot be written is
     * reported at the next write or close.
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

    /** Reports that a rule matches a file, if the program has the right to look, and to tell. */
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
