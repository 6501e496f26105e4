package io.mio.stats;

import io.mio.stats.TraceSnapshot.Event;
import io.mio.thread.OwnThread;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reports of all files open in this process, so that none is lost. They are written at close,
 * when the program forgot the file and it was collected, at exit, and on demand.
 */
public final class OpenReports {
    private static final Set<Handle> OPEN = ConcurrentHashMap.newKeySet();
    private static final ReferenceQueue<Object> FORGOTTEN = new ReferenceQueue<>();
    private static final ExitTasks BEFORE_EXIT = new ExitTasks();
    private static final ExitTasks AFTER_EXIT = new ExitTasks();

    private static boolean hooked;

    /** Counts of closed files; guarded by itself, as is the end of an entry. */
    private static final IoTotals CLOSED = new IoTotals();

    private static long closedFiles;

    private OpenReports() {}

    /** An open file's place among the reports. Its {@code owner} can still be collected. */
    public static final class Handle extends PhantomReference<Object> {
        private final FileReport report;
        private final Runnable forgotten;
        private boolean closed;

        private Handle(Object owner, FileReport report, Runnable forgotten) {
            super(owner, FORGOTTEN);
            this.report = report;
            this.forgotten = forgotten;
        }

        /** Writes the report: the file was closed. Only the first call does. */
        public void close() {
            clear();
            write(Event.CLOSE, false);
        }

        /**
         * Moves the file from the open ones to the closed ones, after its report is written. Until
         * then a thread that ends the process finds the file, and waits for the report.
         */
        private void ends() {
            IoTotals totals = report.totals();
            synchronized (CLOSED) {
                OPEN.remove(this);
                CLOSED.add(totals);
                closedFiles++;
            }
        }

        /** Called when the owner was collected without a close. */
        private void forgotten() {
            if (forgotten != null && OPEN.contains(this)) {
                forgotten.run();
            }
            close();
        }

        /**
         * Writes one report of a file at a time, and none after that of its close: an older
         * snapshot never follows a newer one.
         */
        private synchronized void write(Event event, boolean onlyInter) {
            if (!closed) {
                closed = event == Event.CLOSE;
                try {
                    report.write(event, onlyInter);
                } catch (RuntimeException | Error e) {
                    // As on a full heap: the program's close has done its work, and at the exit
                    // others have their reports still to come.
                    return;
                } finally {
                    if (closed) {
                        ends();
                        report.release();
                    }
                }
            }
        }
    }

    /** As {@link #open(Object, FileReport, Runnable)}, without a task for a forgotten file. */
    public static Handle open(Object owner, FileReport report) {
        return open(owner, report, null);
    }

    /**
     * Enters a file.
     *
     * @param owner the object whose end means that the file is closed
     * @param forgotten run once, before the report, if the owner is collected without a close of
     *     the handle; must not reach the owner; or null
     */
    public static Handle open(Object owner, FileReport report, Runnable forgotten) {
        for (Reference<?> gone = FORGOTTEN.poll(); gone != null; gone = FORGOTTEN.poll()) {
            ((Handle) gone).forgotten();
        }
        Handle handle = new Handle(owner, report, forgotten);
        OPEN.add(handle);
        if (!report.isEmpty()) {
            hook();
        }
        return handle;
    }

    /**
     * Has {@code task} run once when the JVM exits, before the reports. Other hooks of the program
     * run at the same time and may still use files. If the turn of such tasks has come already, or
     * the JVM takes no hooks any more, the task runs here and now. What it throws is dropped. From
     * the first task on a part of the heap is kept for the exit.
     */
    public static void beforeExit(Runnable task) {
        ExitRoom.take();
        hook();
        BEFORE_EXIT.add(task);
    }

    /** As {@link #beforeExit}, but after the reports. */
    public static void afterExit(Runnable task) {
        hook();
        AFTER_EXIT.add(task);
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

    /** Returns what the layers of all open files have counted so far. */
    public static List<StatsBlock> snapshots() {
        List<StatsBlock> blocks = new ArrayList<>();
        for (Handle handle : OPEN) {
            blocks.addAll(handle.report.snapshots());
        }
        return blocks;
    }

    /** Returns the reports of all open files. */
    public static List<FileReport> files() {
        List<FileReport> files = new ArrayList<>();
        for (Handle handle : OPEN) {
            files.add(handle.report);
        }
        return files;
    }

    /** Returns what the layers of all files, open and closed, have counted since the start. */
    public static IoTotals totals() {
        IoTotals totals = new IoTotals();
        synchronized (CLOSED) {
            totals.add(CLOSED);
            for (Handle handle : OPEN) {
                handle.report.addTo(totals);
            }
        }
        return totals;
    }

    /** Number of files opened with layers since the start; those open now count too. */
    public static long opened() {
        synchronized (CLOSED) {
            return closedFiles + OPEN.size();
        }
    }

    /**
     * Called when the process begins: makes sure that at its end {@code mio run}'s message is
     * written, even if no file is ever opened. May run during the JVM's boot.
     */
    public static void begin() {
        if (ReportHint.isWatching()) {
            hook();
        }
    }

    /** Not a lambda: it may be made during the JVM's boot. */
    private static final class Exit implements Runnable {
        @Override
        public void run() {
            try {
                exit();
            } catch (LinkageError e) {
                // Our class loader was closed, and has no class for this any more.
                return;
            }
        }
    }

    private static synchronized void hook() {
        if (hooked) {
            return;
        }
        hooked = true;
        try {
            OwnThread.atExit(new Exit(), "mio-exit");
        } catch (IllegalStateException | SecurityException refused) {
            // Too late for a hook, or forbidden: what is opened now is reported if it is closed.
            BEFORE_EXIT.run();
            AFTER_EXIT.run();
        }
    }

    /**
     * Writes the reports at exit. Files stay entered: other hooks run at the same time and may
     * still use and close them; their full report then follows.
     */
    private static void exit() {
        ExitRoom.give();
        BEFORE_EXIT.run();
        for (Handle handle : OPEN) {
            handle.write(Event.EXIT, false);
        }
        AFTER_EXIT.run();
        StatsFile.writeKept();
        ReportHint.show();
    }
}
