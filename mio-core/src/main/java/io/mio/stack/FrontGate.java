package io.mio.stack;

import io.mio.config.LayerSpec;
import io.mio.config.MioOption;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.pf.AutoLayer;
import io.mio.pf.CachedFile;
import io.mio.pf.FileGate;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;

/**
 * The file's gate as the requests of one open take it: where the file has pages or the rule says
 * {@code cio} or {@code direct}, a read shares it, a write takes it alone. With {@code cio} a write
 * shares it too, unless it makes the file longer or is one that direct I/O cannot do (design
 * section 4). What a method returns is left by {@link #leave}; 0 where there was nothing to take.
 */
final class FrontGate {
    private static final int SECTOR_BYTES_LEAST = 512;

    private final FileGate gate;
    private final CachedFile file;
    private final Layer os;
    private final FileEnd end;
    private final boolean always;
    private final boolean cio;

    /**
     * Multiple that a write must be of to share the gate: direct requests are, and writes into one
     * sector of a page must not meet; 1 where neither is.
     */
    private final long alignmentBytes;

    /** May want pages while the file is open; or null. */
    private final AutoLayer auto;

    /** Says that this open takes it, or does not; see {@link FrontLayer}. */
    FrontGate(
            LayerSpec spec,
            Layer os,
            OpenRequest request,
            CachedFile file,
            boolean unserved,
            AutoLayer auto,
            FileEnd end) {
        this.gate = file.gate();
        this.file = file;
        this.os = os;
        this.auto = auto;
        this.end = end;
        this.cio = spec.isOn(MioOption.CIO);
        boolean direct = spec.isOn(MioOption.DIRECT);
        // Pages may come while a request of an open without any is below.
        boolean mayMeetPages = unserved || request.cacheable();
        this.always =
                spec.isTyped(MioOption.CIO) || direct || request.executor() != null || mayMeetPages;
        if (!always) {
            request.platform().ungated();
        }
        if (cio) {
            file.writesMeet();
        }
        this.alignmentBytes =
                cio && (direct || request.cacheable())
                        ? Math.max(request.place().sectorBytes(), SECTOR_BYTES_LEAST)
                        : 1;
    }

    /** Whether it is taken though the file has no pages. */
    boolean isAlways() {
        return always;
    }

    /** Whether writes may share it. */
    boolean writesMeet() {
        return cio;
    }

    long share() throws AsynchronousCloseException {
        return always || file.isGated() || mayGetPages() ? entered(gate.share()) : 0;
    }

    /**
     * For a call that takes long: without pages there is nothing that others would have to be kept
     * apart from meanwhile.
     */
    long flush() throws AsynchronousCloseException {
        return always || file.isGated() ? entered(gate.share()) : 0;
    }

    long alone() throws AsynchronousCloseException {
        if (always || file.isGated()) {
            return entered(gate.alone());
        }
        if (!mayGetPages()) {
            return 0;
        }
        // While there are no pages, requests have to keep out who takes some, not each other.
        long stamp = gate.share();
        if (file.isGated()) {
            gate.leave(stamp);
            stamp = gate.alone();
        }
        return entered(stamp);
    }

    /** For a write of so many bytes, which shares it where it may. */
    long write(long bytes, long offset) throws IOException {
        if (!cio || offset == Layer.APPEND || !isAligned(offset) || !isAligned(bytes)) {
            return alone();
        }
        long stamp = share();
        boolean fits = false;
        try {
            // Asked inside: nobody cuts the file meanwhile.
            fits = offset + bytes <= sizeBytes();
        } finally {
            if (!fits) {
                gate.leave(stamp);
            }
        }
        return fits ? stamp : alone();
    }

    private boolean isAligned(long number) {
        return number % alignmentBytes == 0;
    }

    /** Another thread may have closed the file while this one was on its way in. */
    long entered(long stamp) throws AsynchronousCloseException {
        if (end.isClosed()) {
            gate.leave(stamp);
            throw new AsynchronousCloseException();
        }
        return stamp;
    }

    void leave(long stamp) {
        gate.leave(stamp);
    }

    private boolean mayGetPages() {
        return auto != null && auto.mayTakePages();
    }

    /** Past the layers between, which count. At most the logical size: then a write waits. */
    private long sizeBytes() throws IOException {
        return file.isCached() ? file.sizeBytes() : os.size();
    }
}
