package io.mio.pf;

import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import java.io.IOException;

/**
 * Finds out for {@link DirectChoice} what it wants to know of an open: the size of its file, the
 * memory that could keep it, and what of it is in the kernel's cache.
 */
final class DirectLook {
    private static final long NOT_ASKED = -1;

    private final DirectSizes sizes;
    private final DirectChoice choice;
    private final KernelCache kernel;
    private final KernelSight sight;

    /**
     * Asked only for a file that may not fit: once, and anew before it is chosen by; a race asks
     * twice.
     */
    private volatile long room = NOT_ASKED;

    /** The file does not fit there: it is looked at for good. */
    private volatile boolean beyond;

    private DirectLook(DirectSizes sizes, KernelCache kernel, KernelSight sight) {
        this.sizes = sizes;
        this.choice = new DirectChoice(sizes);
        this.kernel = kernel;
        this.sight = sight;
    }

    /** Of an open; null where it need not be looked at: it only reads, and the file fits. */
    static DirectLook of(OpenRequest request, KernelSight sight, DirectSizes sizes) {
        DirectLook look = new DirectLook(sizes, request.kernelCache(), sight);
        look.beyond = look.isBeyond(request.sizeBytes());
        return look.beyond || OpenFlags.writes(request.oflags()) ? look : null;
    }

    /** The file did not fit memory when it was opened, or later. */
    boolean isBeyond() {
        return beyond;
    }

    private boolean isBeyond(long sizeBytes) {
        return sizes.isBeyond(sizeBytes, room(sizeBytes));
    }

    private long room(long sizeBytes) {
        if (sizeBytes < sizes.least()) {
            return Long.MAX_VALUE;
        }
        if (room == NOT_ASKED) {
            room = kernel.roomBytes();
        }
        return room;
    }

    /**
     * A dense stream has come further. One thread at a time.
     *
     * @param moved by so many bytes, see {@link ReadHints#moved}
     * @param at where it reads next
     * @param file tells its size
     */
    void seen(long moved, long at, Layer file) {
        long offset = choice.seen(moved, at);
        if (offset == DirectChoice.NONE) {
            return;
        }
        try {
            long size = file.size();
            if (choice.mayDecide()) {
                room = NOT_ASKED;
            }
            int there = isBeyond(size) ? sight.has(offset, sizes.asked()) : KernelCache.UNKNOWN;
            // What the kernel never shows it may have all the same. The byte is one that the
            // program wants.
            if (there == 0 && choice.mayDecide() && !sight.sees(Math.max(0, at - 1))) {
                there = KernelCache.UNKNOWN;
            }
            choice.answer(size, room(size), there);
        } catch (IOException e) {
            // The program's own request meets it.
        }
    }

    /**
     * Nothing else is left to be chosen: true if this is not either, as the file fits. Then it is
     * the kernel's for good.
     */
    boolean settles(Layer file) {
        if (choice.state() == DirectChoice.State.OVER) {
            return true;
        }
        if (!beyond) {
            try {
                beyond = isBeyond(file.size());
            } catch (IOException e) {
                return false;
            }
            if (!beyond) {
                choice.settle();
            }
        }
        return choice.state() == DirectChoice.State.OVER;
    }

    /** It is not known yet whether it may be chosen at all. */
    boolean isUnknown() {
        return !beyond && choice.state() != DirectChoice.State.OVER;
    }

    /** It is chosen, and may be had or not. */
    boolean isChosen() {
        return choice.state() == DirectChoice.State.DIRECT;
    }

    /** It is, or may be yet. */
    boolean isOpen() {
        return choice.state() != DirectChoice.State.OVER;
    }

    void over() {
        choice.over();
    }

    /** Why it is chosen, in words. */
    String reason() {
        return choice.reason();
    }

    /** Memory that could keep the file as it is now, bytes. */
    long roomNow() {
        return kernel.roomBytes();
    }
}
