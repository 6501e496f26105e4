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
 * Takes the file's gate for the requests of one open. Where the file has pages or the rule says
 * {@code cio} or {@code direct}, a read shares the gate and a write takes it alone. With {@code
 * cio} a write shares it too, unless it makes the file longer or direct I/O cannot do it (design
 * section 4). Each method returns a stamp for {@link #leave}; 0 where there was nothing to take.
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
     * Bytes of which a write's offset and length must be multiples for it to share the gate: direct
     * requests have to be aligned, and writes into one sector of a page must not run at the same
     * time. 1 without direct I/O and pages.
     */
    private final long alignmentBytes;

    /** The layer that may want pages while the file is open; or null. */
    private final AutoLayer auto;

    /** Parameters as in {@link FrontLayer}. Marks an open that uses no gate as such. */
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
        // The file may get pages through another open while a request of this one is below.
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

    /** Whether the gate is taken even if the file has no pages. */
    boolean isAlways() {
        return always;
    }

    /** Whether writes may share the gate. */
    boolean writesMeet() {
        return cio;
    }

    long share() throws AsynchronousCloseException {
        return always || file.isGated() || mayGetPages() ? entered(gate.share()) : 0;
    }

    /**
     * Takes the gate for a flush, which takes long. Without pages there is nothing to protect from
     * others meanwhile.
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
        // While the file has no pages, requests need only keep out a thread that takes some.
        long stamp = gate.share();
        if (file.isGated()) {
            gate.leave(stamp);
            stamp = gate.alone();
        }
        return entered(stamp);
    }

    /** Takes the gate for a write of so many bytes; shares it where that is allowed. */
    long write(long bytes, long offset) throws IOException {
        if (!cio || offset == Layer.APPEND || !isAligned(offset) || !isAligned(bytes)) {
            return alone();
        }
        long stamp = share();
        boolean fits = false;
        try {
            // Asked with the gate held, so that nobody truncates the file meanwhile.
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

    /** Checks that no other thread closed the file while this one waited for the gate. */
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

    /** Asks past the layers that count. May be below the logical size; the write is alone then. */
    private long sizeBytes() throws IOException {
        return file.isCached() ? file.sizeBytes() : os.size();
    }
}
