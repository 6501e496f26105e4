package io.mio.os;

import java.lang.reflect.Field;

/**
 * Has JNA load and bind MIO's library without starting its cleaner's thread. That thread would be
 * in the group of whichever thread of the program opens a file first, and keep that thread's class
 * loader and inheritable thread locals for good, for a library that is never unloaded. A program
 * that uses JNA itself gets the cleaner's thread then, as without MIO. With a version of JNA that
 * is not known here, the thread starts.
 */
final class JnaCleaner {
    private static final String CLASS = "com.sun.jna.internal.Cleaner";

    /** The field by which JNA sees whether there is a thread; any thread in it will do. */
    private static final String THREAD = "cleanerThread";

    private final Object cleaner;
    private final Field thread;

    private JnaCleaner(Object cleaner, Field thread) {
        this.cleaner = cleaner;
        this.thread = thread;
    }

    /**
     * Holds the thread back until {@link #letGo}. The program's threads do not wait meanwhile: the
     * next registration after that starts the thread, which cleans what they register until then.
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
