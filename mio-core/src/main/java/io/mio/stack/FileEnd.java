package io.mio.stack;

import io.mio.jfr.Flight;
import io.mio.layer.Layer;
import io.mio.layer.PlatformObjects;
import io.mio.os.VirtualThreads;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import io.mio.stats.FileReport;
import io.mio.stats.OpenReports;
import java.io.IOException;
import java.lang.ref.Cleaner;

/**
 * Ends one open: at its close, or when the program forgot the file and it was garbage-collected,
 * where bytes or descriptors would be lost otherwise. Refers to the layers below the front and
 * never to the front itself, which the program's channel holds.
 */
final class FileEnd implements Runnable {
    /** Holds the cleaner, which has a thread; made for the first file that needs it. */
    private static final class Forgotten {
        static final Cleaner CLEANER = Cleaner.create();
    }

    private final Layer layers;
    private final CachedFile file;
    private final PlatformObjects platform;
    private final FileReport report;
    private OpenReports.Handle handle;
    private Cleaner.Cleanable cleanable;
    private volatile boolean closed;

    private FileEnd(Layer layers, CachedFile file, PlatformObjects platform, FileReport report) {
        this.layers = layers;
        this.file = file;
        this.platform = platform;
        this.report = report;
    }

    /**
     * Enters a file whose layers are made.
     *
     * @param front the object whose collection means that the program forgot the file
     * @param layers what to close: the layers below the front
     * @param file left at the end
     * @param platform closed after the layers
     * @param report written at the end
     * @param keeps true if something would be lost with a forgotten file; else the file is left to
     *     the garbage collector, as the platform's own is
     */
    static FileEnd of(
            Object front,
            Layer layers,
            CachedFile file,
            PlatformObjects platform,
            FileReport report,
            boolean keeps) {
        FileEnd end = new FileEnd(layers, file, platform, report);
        if (keeps || platform.isKeeping()) {
            // Owned by this object, which the cleaner holds until it has run: the report is last.
            end.handle = OpenReports.open(end, report);
            end.cleanable = Forgotten.CLEANER.register(front, end);
        } else {
            end.handle =
                    OpenReports.open(
                            front,
                            report,
                            () -> {
                                CachedFiles.leave(file);
                                tell(Flight.close(), report);
                            });
        }
        return end;
    }

    /**
     * Ends an open whose layers cannot be made; nothing is reported.
     *
     * @param layers the layers made so far
     * @param why gets the failures of the close as suppressed exceptions
     */
    static void failed(
            Layer layers,
            CachedFile file,
            PlatformObjects platform,
            FileReport report,
            Throwable why) {
        FileEnd end = new FileEnd(layers, file, platform, report);
        long stamp = file.gate().alone();
        try {
            end.closeAll();
        } catch (IOException | RuntimeException | Error e) {
            why.addSuppressed(e);
        } finally {
            file.gate().leave(stamp);
            report.release();
        }
    }

    /** True once the layers below are closed, or about to be. */
    boolean isClosed() {
        return closed;
    }

    /**
     * Closes the layers with the gate alone, leaves the file, reports. Only the first call acts.
     */
    void close() throws IOException {
        try {
            if (cleanable != null || file.isGated()) {
                VirtualThreads.close(this::end);
            } else {
                end();
            }
        } finally {
            if (cleanable != null) {
                cleanable.clean();
            }
        }
    }

    private void end() throws IOException {
        long stamp = file.gate().alone();
        if (closed) {
            file.gate().leave(stamp);
            return;
        }
        closed = true;
        Object event = Flight.close();
        try {
            closeAll();
        } finally {
            Flight.closed(event);
            file.gate().leave(stamp);
            CachedFiles.leave(file);
            handle.close();
            tell(event, report);
        }
    }

    private static void tell(Object event, FileReport report) {
        if (event != null) {
            Flight.totals(
                    event, report.name(), report.layers(), report.openNanos(), report.totals());
        }
    }

    /**
     * Closes the open. The gate is held alone, so no count of the file's descriptors comes between
     * the two steps: it would take one of this open for one without layers, or the reverse.
     */
    private void closeAll() throws IOException {
        file.ended(platform);
        try {
            layers.close();
        } finally {
            platform.close();
        }
    }

    /** Ends the open of a forgotten file. Failures are dropped: nobody is there to be told. */
    @Override
    public void run() {
        try {
            if (!closed) {
                end();
            }
        } catch (IOException | RuntimeException e) {
            return;
        }
    }
}
