package io.mio.jfr;

import io.mio.stats.IoTotals;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the other packages tell the flight recorder. While it is not in use, {@link #isOn} is one
 * look at a field, the methods that begin an event return null, and no class of the module jdk.jfr
 * is loaded; the module may even be missing.
 *
 * <p>The JVM has no way to ask whether the recorder was started that does not load it. But the
 * recorder sets a system property when it makes its repository, before the first recording runs.
 * That property is looked at before every open with layers, and once a second while files are used
 * ({@link Watch}).
 *
 * <p>An event is begun by one call and committed by another, perhaps on another thread. Nothing
 * here throws, waits for a lock of MIO, or opens a file: the recorder may be the one that is using
 * the file.
 */
public final class Flight {
    /** Set by the recorder, in all JVMs that MIO runs on. */
    private static final String REPOSITORY_PROPERTY = "jdk.jfr.repository";

    /** {@code true}: events from the start on; {@code false}: never. */
    private static final String SETTING_PROPERTY = "mio.jfr";

    private static final AtomicBoolean BEGUN = new AtomicBoolean();
    private static volatile boolean on;

    private Flight() {}

    /** Looks whether the recorder has been started. */
    public static final class Look implements Watch.Task {
        @Override
        public void look(boolean mayWait) {
            if (BEGUN.get() || !isAsked() || !BEGUN.compareAndSet(false, true)) {
                return;
            }
            if (mayWait) {
                begin();
            } else {
                Watch.beside("mio-jfr", new Beginning());
            }
        }
    }

    private static final class Beginning implements Runnable {
        @Override
        public void run() {
            begin();
        }
    }

    private static boolean isAsked() {
        try {
            String setting = System.getProperty(SETTING_PROPERTY);
            return setting == null
                    ? System.getProperty(REPOSITORY_PROPERTY) != null
                    : Boolean.parseBoolean(setting);
        } catch (SecurityException e) {
            // The program has set a security manager meanwhile; this runs during its I/O.
            return false;
        }
    }

    /** Runs once, in one thread: no other ever waits for these classes, whatever locks it holds. */
    private static void begin() {
        try {
            Events.register();
            on = true;
        } catch (LinkageError | RuntimeException e) {
            // Without the module, or where it refuses, there are no events.
            return;
        }
    }

    /** True once the recorder was started, so that events are worth beginning. */
    public static boolean isOn() {
        return on;
    }

    // ---- files

    /** Begins the event of an open; null if nobody records it. */
    public static Object open() {
        return on ? Events.open() : null;
    }

    /** Ends the event of an open: the file is open. */
    public static void opened(Object event, String path, String layers, String flags, long size) {
        if (event != null) {
            Events.opened(event, path, layers, flags, size);
        }
    }

    /** Begins the event of a close; null if nobody records it. */
    public static Object close() {
        return on ? Events.close() : null;
    }

    /** Notes that the file is closed; what follows does not count as time of the close. */
    public static void closed(Object event) {
        if (event != null) {
            Events.closed(event);
        }
    }

    /** Commits the event of a close. */
    public static void totals(
            Object event, String path, String layers, long openNanos, IoTotals totals) {
        if (event != null) {
            Events.totals(event, path, layers, openNanos, totals);
        }
    }

    // ---- calls of the program

    /** Begins a call, which is an event if it turns out to be slow; null if nobody records them. */
    public static Object call() {
        return on ? Events.call() : null;
    }

    /**
     * Ends a call.
     *
     * @param offset bytes; -1 for a write to the end, and where there is none
     * @param requested bytes asked for; 0 where the call moves none
     * @param moved bytes moved; -1 at the end of the file, or if the call failed
     */
    public static void called(
            Object event,
            CallKind operation,
            String path,
            long offset,
            long requested,
            long moved) {
        if (event != null) {
            Events.called(event, operation, path, offset, requested, moved);
        }
    }

    // ---- pages

    /** Begins the event of a page; null if nobody records them. */
    public static Object page() {
        return on ? Events.page() : null;
    }

    /** Ends the event of a page. */
    public static void paged(Object event, PageKind kind, String path, long index, long bytes) {
        if (event != null) {
            Events.paged(event, kind, path, index, bytes);
        }
    }
}
