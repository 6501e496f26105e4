package io.mio.os;

import java.lang.reflect.Field;

/**
 * Has JNA load and bind MIO's library without beginning its cleaner's thread. That thread would be
 * in the group of whichever thread of the program opens a file first, and keep its class loader and
 * its inheritable thread locals for good, for a library that is never unloaded. A program that uses
 * JNA itself gets the thread when it does, as without MIO. Where JNA is another than is known here,
 * the thread begins.
 */
final class JnaCleaner {
    private static final String CLASS = "com.sun.jna.internal.Cleaner";

    /** It asks whether there is a thread; any one will do. */
    private static final String THREAD = "cleanerThread";

    private final Object cleaner;
    private final Field thread;

    private JnaCleaner(Object cleaner, Field thread) {
        this.cleaner = cleaner;
        this.thread = thread;
    }

    /**
     * Until {@link #letGo}. Not waited for: what the program registers with the cleaner meanwhile
     * is seen to from the next time on.
     */
    static JnaCleaner hold() {
        try {
            Class<?> type = Class.forName(CLASS);
            Field thread = type.getDeclaredField(THREAD);
            thread.setAccessible(true);
            Object cleaner = type.getMethod("getCleaner").invoke(null);
            JnaCleaner held = new JnaCleaner(cleaner, thread);
            held.change(null, Thread.currentThread());
            return held;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return new JnaCleaner(null, null);
        }
    }

    void letGo() {
        if (cleaner != null) {
            change(Thread.currentThread(), null);
        }
    }

    private void change(Thread from, Thread to) {
        synchronized (cleaner) {
            try {
                if (thread.get(cleaner) == from) {
                    thread.set(cleaner, to);
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
