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
 * The descriptors of a file that no layer of this process is over: those of {@code java.io} and of
 * native code, and channels that were opened before the file had pages, when no rule asked for
 * layers. They work on the kernel's copy of the file, so pages must not differ from it: nothing is
 * kept in pages while such a descriptor can write, and nothing is held back from the kernel while
 * one can read.
 *
 * <p>They are looked for when the file gets pages, when the first open joins that has a cache and
 * writes, and, as long as some were found, whenever an open joins. The gate is held alone
 * meanwhile. Opens with layers end under the gate, so none of them is mistaken for one without.
 * What the platform alone opens is noticed in one of two ways. Either it is opened before the look,
 * which then finds it; or after, and then {@link CachedFiles#any} is true, which doors ask after
 * each open.
 */
final class Beside {
    static final String UNTOLD =
            "past its pages: who else has the file open is not to be read from /proc/self/fd";

    /** What is known of such descriptors. */
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

    /** The platform's objects of all opens with layers, of all files that are known by a key. */
    private static final Map<PlatformObjects, Beside> LAYERED = new ConcurrentHashMap<>();

    private final CachedFile file;

    /** The platform's objects of the opens of this file that have layers; guarded by itself. */
    private final List<PlatformObjects> layered = new ArrayList<>(1);

    private Descriptors descriptors = Descriptors.NONE;

    /** There was an open that keeps its writes in pages. */
    private boolean written;

    private volatile Kind kind = Kind.NOBODY;

    Beside(CachedFile file) {
        this.file = file;
    }

    /** An open with layers begins. To be called after the platform's open and before any look. */
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

    /** An open with layers ends; its descriptors are closed when the gate is left. */
    void ended(PlatformObjects opened) {
        synchronized (layered) {
            layered.removeIf(each -> each == opened);
        }
        LAYERED.remove(opened, this);
    }

    /**
     * True if a write may be on its way past the pages that the file has just got. An open that saw
     * no reason to take the gate may have begun it before.
     */
    boolean mayBeWritten() {
        synchronized (layered) {
            for (PlatformObjects each : layered) {
                if (each.writesUngated()) {
                    return true;
                }
            }
            return false;
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

    /** What the file does without because of these descriptors, in a line, or null. */
    String words() {
        return kind.words;
    }

    /**
     * The file has just got pages. The gate is held alone.
     *
     * @param writes whether the open that it got them by keeps writes in pages
     */
    void began(Descriptors of, boolean writes) {
        descriptors = of;
        written = writes;
        kind = Kind.NOBODY;
        become(find());
    }

    /**
     * One more open joins a file that has pages. The gate is held alone.
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
                // Without the size nothing changes; the next open tries again.
                return;
            }
        }
        become(found);
    }

    /** There may be one more such descriptor. The gate is held alone. */
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
            // Asked after the count: what was closed meanwhile may not have been counted.
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
        // No stream: the classes of the first one in a JVM take longer to load than all the rest.
        List<PlatformObjects> others = new ArrayList<>();
        for (Map.Entry<PlatformObjects, Beside> each : LAYERED.entrySet()) {
            if (each.getValue() != this) {
                others.add(each.getKey());
            }
        }
        return others.iterator();
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
            // Where requests pass the pages by from now on, nobody keeps these right; where
            // requests come back to them, the pages may be out of date.
            Bypassed.forget(file);
        }
    }
}
