package io.mio.pf;

import io.mio.layer.Descriptors;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.PlatformObjects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Descriptors of a file that no layer of this process is over: those of {@code java.io} and of
 * native code, and channels that were opened before the file had pages, when no rule asked for
 * layers. They work on the kernel's copy, so that pages must not differ from it: nothing is kept in
 * pages while one of them can write, and nothing is held back from the kernel while one can read.
 *
 * <p>Looked for when the file gets pages, when the first open with a cache joins that writes, and
 * while there were some, whenever an open joins. The gate is held alone meanwhile: opens that have
 * layers end under it, so that none of them is taken for one that has not. What is opened by the
 * platform alone comes in by one of two ways: before the look, which then finds it, or after, and
 * then {@link CachedFiles#any} is true, which doors ask after each open.
 */
final class Beside {
    static final String UNTOLD =
            "past its pages: who else has the file open is not to be read from /proc/self/fd";

    /** What is known of them. */
    private enum Kind {
        NOBODY(null),
        READERS("each write goes to the kernel at once: the process reads the file past MIO, too"),
        WRITERS("past its pages: the process has the file open for writing past MIO, too"),
        UNKNOWN(UNTOLD);

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        boolean isPast() {
            return this == WRITERS || this == UNKNOWN;
        }
    }

    /** What serves the opens that have layers, of all files that are known by a key. */
    private static final Map<PlatformObjects, Beside> LAYERED = new ConcurrentHashMap<>();

    private final CachedFile file;

    /** What serves those of this file; guarded by itself. */
    private final List<PlatformObjects> layered = new ArrayList<>(1);

    private Descriptors descriptors = Descriptors.NONE;

    /** Some open that keeps its writes in pages was there. */
    private boolean written;

    private volatile Kind kind = Kind.NOBODY;

    Beside(CachedFile file) {
        this.file = file;
    }

    /** An open with layers begins; to be called after the platform's open, before any look. */
    void layered(PlatformObjects opened) {
        if (file.key() != null) {
            LAYERED.put(opened, this);
        }
        synchronized (layered) {
            layered.removeIf(this::isGone);
            layered.add(opened);
        }
    }

    private boolean isGone(PlatformObjects opened) {
        if (opened.open() > 0) {
            return false;
        }
        LAYERED.remove(opened, this);
        return true;
    }

    /** It ends; its descriptors are closed when the gate is left. */
    void ended(PlatformObjects opened) {
        synchronized (layered) {
            layered.removeIf(each -> each == opened);
        }
        LAYERED.remove(opened, this);
    }

    /**
     * True if a write may be on its way past the pages that the file has just got: by an open that
     * took the gate for none so far.
     */
    boolean mayBeWritten() {
        synchronized (layered) {
            return layered.stream().anyMatch(PlatformObjects::writesUngated);
        }
    }

    /** True while nothing may be kept in pages. */
    boolean isPast() {
        return kind.isPast();
    }

    /** True while every write has to go to the kernel at once. */
    boolean isThrough() {
        return kind != Kind.NOBODY;
    }

    /** What the file does without because of them, in a line, or null. */
    String words() {
        return kind.words;
    }

    /** The file has just got pages, by an open that writes or not. The gate is held alone. */
    void began(Descriptors of, boolean writes) {
        descriptors = of;
        written = writes;
        kind = Kind.NOBODY;
        become(find());
    }

    /**
     * One more open of a file that has pages. The gate is held alone.
     *
     * @param writes whether it keeps writes in pages
     * @param size asks for the size that the kernel has
     */
    void joined(boolean writes, IoCall<Long> size) {
        boolean firstWriter = writes && !written;
        written |= writes;
        if (!firstWriter && kind == Kind.NOBODY) {
            return;
        }
        Kind found = find();
        if (kind.isPast() && !found.isPast()) {
            try {
                file.refresh(size);
            } catch (IOException e) {
                // Without the size it stays as it is; the next open tries again.
                return;
            }
        }
        become(found);
    }

    /** There may be one more of them. The gate is held alone. */
    void came() {
        Kind found = find();
        if (found.compareTo(kind) > 0) {
            become(found);
        }
    }

    private Kind find() {
        List<PlatformObjects> known;
        synchronized (layered) {
            known = new ArrayList<>(layered);
        }
        Descriptors.Count all = descriptors.count(this::others);
        if (all == null) {
            return Kind.UNKNOWN;
        }
        int readers = all.readers();
        int writers = all.writers();
        for (PlatformObjects each : known) {
            // Asked afterwards: what was closed meanwhile may not have been counted.
            int open = each.open();
            readers -= each.isWritable() ? 0 : open;
            writers -= each.isWritable() ? open : 0;
        }
        if (writers > 0) {
            return Kind.WRITERS;
        }
        return readers > 0 && written ? Kind.READERS : Kind.NOBODY;
    }

    private Iterator<PlatformObjects> others() {
        return LAYERED.entrySet().stream()
                .filter(each -> each.getValue() != this)
                .map(Map.Entry::getKey)
                .iterator();
    }

    private void become(Kind found) {
        if (found == kind) {
            return;
        }
        try {
            WriteOut.all(file);
        } catch (IOException e) {
            // The file keeps what could not be written, and its opens are told.
        }
        boolean changes = found.isPast() != kind.isPast();
        kind = found;
        if (changes) {
            // Going past: nobody looks after them. Coming back: they may be out of date.
            Bypassed.forget(file);
        }
    }
}
