package io.mio.thread;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes the threads that work for MIO alone (those of asynchronous channels are made as the
 * platform makes them). They are started in calls of the program. They are in the system's thread
 * group, as the JDK's own are, so the program neither finds them in its groups nor interrupts them
 * there. They hold no class loaders, thread locals and rights of the calling thread.
 */
public final class OwnThread {
    /**
     * So many hooks for the same work, because the JVM starts hooks in any order, and no further
     * one after one that cannot begin, as where the process may have no more threads.
     */
    private static final int HOOKS = 16;

    private OwnThread() {}

    /**
     * Makes a daemon that is not started yet.
     *
     * @param work throws nothing
     */
    @SuppressWarnings("removal") // Until JDK 23 a thread keeps the loaders of all its callers.
    public static Thread daemon(Runnable work, String name) {
        return AccessController.doPrivileged(new Making(work, name, null));
    }

    /**
     * Has work done once in such a thread when the JVM exits; in that of the exit where the process
     * may have no more threads.
     *
     * @param work throws nothing
     * @throws IllegalStateException if the JVM exits already
     * @throws SecurityException if a security manager forbids it
     */
    @SuppressWarnings("removal")
    public static void atExit(Runnable work, String name) {
        AtomicBoolean begun = new AtomicBoolean();
        for (int i = 0; i < HOOKS; i++) {
            Thread hook = AccessController.doPrivileged(new Making(work, name, begun));
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    /** One of several hooks for the same work, of which the first one to be started does it. */
    private static final class Hook extends Thread {
        private final Runnable work;
        private final AtomicBoolean begun;

        Hook(ThreadGroup group, Runnable work, String name, AtomicBoolean begun) {
            super(group, work, name, 0, false);
            this.work = work;
            this.begun = begun;
        }

        /** Called by the JVM, of one hook after the other. */
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public void start() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            try {
                super.start();
            } catch (OutOfMemoryError e) {
                work.run();
            }
        }
    }

    /** Not a lambda: files are opened, and threads made, while the JVM starts. */
    private static final class Making implements PrivilegedAction<Thread> {
        private final Runnable work;
        private final String name;

        /** Of a hook; else null. */
        private final AtomicBoolean begun;

        Making(Runnable work, String name, AtomicBoolean begun) {
            this.work = work;
            this.name = name;
            this.begun = begun;
        }

        @Override
        public Thread run() {
            Thread thread = make();
            thread.setDaemon(true);
            try {
                thread.setContextClassLoader(null);
            } catch (SecurityException e) {
                // A security manager forbids it: the thread keeps the loader it has.
                return thread;
            }
            return thread;
        }

        private Thread make() {
            try {
                return make(ofTheSystem());
            } catch (SecurityException e) {
                return make(null);
            }
        }

        private Thread make(ThreadGroup group) {
            return begun == null
                    ? new Thread(group, work, name, 0, false)
                    : new Hook(group, work, name, begun);
        }

        private static ThreadGroup ofTheSystem() {
            ThreadGroup group = Thread.currentThread().getThreadGroup();
            while (group != null && group.getParent() != null) {
                group = group.getParent();
            }
            return group;
        }
    }
}
