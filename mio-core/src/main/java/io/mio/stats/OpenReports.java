package io.mio.stats;

import io.mio.stats.TraceSnapshot.Event;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reports of all files open in this process, so that none is lost: written at close, when the
 * program forgot the file and it was collected, at exit, and on demand.
 */
public final class OpenReports {
    private static final Set<Handle> OPEN = ConcurrentHashMap.newKeySet();
    private static final ReferenceQueue<Object> FORGOTTEN = new ReferenceQueue<>();
    private static boolean hooked;

    private OpenReports() {}

    /** An open file's place among the reports. Keeps its {@code owner} from nothing. */
    public static final class Handle extends PhantomReference<Object> {
        private final FileReport report;
        private boolean closed;

        private Handle(Object owner, FileReport report) {
            super(owner, FORGOTTEN);
            this.report = report;
        }

        /** The file was closed: writes its report. Only the first call does. */
        public void close() {
            if (OPEN.remove(this)) {
                clear();
                write(Event.CLOSE, false);
            }
        }

        /**
         * One report of a file at a time, and none after that of its close: an older snapshot never
         * follows a newer one.
         */
        private synchronized void write(Event event, boolean onlyInter) {
            if (!closed) {
                closed = event == Event.CLOSE;
                report.write(event, onlyInter);
            }
        }
    }

    /** Enters a file; {@code owner} is the object whose end means that the file is closed. */
    public static Handle open(Object owner, FileReport report) {
        for (Reference<?> gone = FORGOTTEN.poll(); gone != null; gone = FORGOTTEN.poll()) {
            ((Handle) gone).close();
        }
        Handle handle = new Handle(owner, report);
        if (!report.isEmpty()) {
            OPEN.add(handle);
            hook();
        }
        return handle;
    }

    /** Writes an intermediate report of every open file. */
    public static void writeAll() {
        for (Handle handle : OPEN) {
            handle.write(Event.INTER, false);
        }
    }

    /** Writes an intermediate report of the layers that have the option {@code inter}. */
    public static void writeInter() {
        for (Handle handle : OPEN) {
            if (handle.report.hasInter()) {
                handle.write(Event.INTER, true);
            }
        }
    }

    /** What the layers of all open files have counted so far. */
    public static List<StatsBlock> snapshots() {
        List<StatsBlock> blocks = new ArrayList<>();
        for (Handle handle : OPEN) {
            blocks.addAll(handle.report.snapshots());
        }
        return blocks;
    }

    private static synchronized void hook() {
        if (hooked) {
            return;
        }
        hooked = true;
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(OpenReports::exit, "mio-exit"));
        } catch (IllegalStateException shuttingDown) {
            // Too late for a hook: what is opened now is reported if it is closed.
        }
    }

    /**
     * Files stay entered: other hooks run beside this one and may still use and close them; their
     * full report then follows.
     */
    private static void exit() {
        for (Handle handle : OPEN) {
            handle.write(Event.EXIT, false);
        }
    }
}
