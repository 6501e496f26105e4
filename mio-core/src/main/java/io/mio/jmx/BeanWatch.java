package io.mio.jmx;

import io.mio.jfr.Watch;
import io.mio.stats.ProcessFacts;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Registers the bean as soon as the program has the platform's MBean server, whoever made it: the
 * program, its management agent at start, or one that is started later, as jconsole does.
 *
 * <p>Looking for the server costs half a millisecond the first time, making it 100 ms. So it is
 * never made unasked, and not looked for in the first second, within which most programs end,
 * unless management was switched on at start. A separate thread registers the bean, because
 * listeners of the server run in that thread, and the threads that look hold locks of files.
 */
public final class BeanWatch implements Watch.Task {
    /** {@code true}: register at the first open; {@code false}: never. */
    private static final String SETTING_PROPERTY = "mio.jmx";

    private static final String[] AGENT_PROPERTIES = {
        "com.sun.management.jmxremote", "com.sun.management.jmxremote.port"
    };

    private static final long EVERY_NANOS = 1_000_000_000L;

    private final AtomicBoolean working = new AtomicBoolean();
    private volatile boolean done;
    private volatile long nextNanos = ProcessFacts.START_NANOS;
    private boolean begun;

    @Override
    public void look(boolean mayWait) {
        if (done || System.nanoTime() - nextNanos < 0) {
            return;
        }
        if (working.compareAndSet(false, true)) {
            try {
                look();
            } catch (LinkageError | RuntimeException e) {
                // The JVM lacks the module, or refuses.
                done = true;
            } finally {
                working.set(false);
            }
        }
    }

    private void look() {
        if (!begun && !begin()) {
            return;
        }
        nextNanos = System.nanoTime() + EVERY_NANOS;
        if (BeanServers.any()) {
            Watch.beside("mio-jmx", new Registering(false));
        }
    }

    /** Makes the first look; false if there is nothing more to do now. */
    private boolean begin() {
        begun = true;
        String setting = System.getProperty(SETTING_PROPERTY);
        if (setting != null) {
            done = true;
            if (Boolean.parseBoolean(setting)) {
                Watch.beside("mio-jmx", new Registering(true));
            }
            return false;
        }
        for (String property : AGENT_PROPERTIES) {
            if (System.getProperty(property) != null) {
                return true;
            }
        }
        nextNanos = ProcessFacts.START_NANOS + EVERY_NANOS;
        return System.nanoTime() - nextNanos >= 0;
    }

    private final class Registering implements Runnable {
        private final boolean makes;

        Registering(boolean makes) {
            this.makes = makes;
        }

        @Override
        public void run() {
            try {
                done |= BeanServers.register(makes);
            } catch (LinkageError | RuntimeException e) {
                // The program did not ask for the bean, or not in code: it is left alone.
                done = true;
            }
        }
    }

    /**
     * Registers the bean now, in this thread, and makes the platform's server if need be.
     *
     * @throws IllegalStateException if the JVM has no management or its server refuses
     */
    public static void register() {
        try {
            BeanServers.register(true);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "this JVM has no management; run it with the module java.management", e);
        }
    }
}
