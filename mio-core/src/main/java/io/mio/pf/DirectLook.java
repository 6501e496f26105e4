package io.mio.pf;

import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import java.io.IOException;

/**
 * Finds out for {@link DirectChoice} what it needs to know of an open: the size of its file, the
 * memory that could keep the file, and what of it is in the kernel's cache.
 */
final class DirectLook {
    private static final long NOT_ASKED = -1;

    private final DirectSizes sizes;
    private final DirectChoice choice;
    private final KernelCache kernel;
    private final KernelSight sight;

    /**
     * Memory that could keep the file, bytes, or {@link #NOT_ASKED}. Asked only for a file that may
     * not fit: once, and again before the choice that depends on it. A race asks twice.
     */
    private volatile long room = NOT_ASKED;

    /** The file did not fit memory at some time: it is looked at from then on. */
    private volatile boolean beyond;

    private DirectLook(DirectSizes sizes, KernelCache kernel, KernelSight sight) {
        this.sizes = sizes;
        this.choice = new DirectChoice(sizes);
        this.kernel = kernel;
        this.sight = sight;
    }

    /** The look at an open; null where none is needed, as the open only reads and the file fits. */
    static DirectLook of(OpenRequest request, KernelSight sight, DirectSizes sizes) {
        DirectLook look = new DirectLook(sizes, request.kernelCache(), sight);
        look.beyond = look.isBeyond(request.sizeBytes());
        return look.beyond || OpenFlags.writes(request.oflags()) ? look : null;
    }

    /** True if the file did not fit memory when it was opened, or later. */
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
     * Notes that a dense stream has come further. One thread at a time.
     *
     * @param moved bytes that it has come, see {@link ReadHints#moved}
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
            // The kernel may have bytes that it never shows. To find out, a byte is read that the
            // program wants anyway.
            if (there == 0 && choice.mayDecide() && !sight.sees(Math.max(0, at - 1))) {
                there = KernelCache.UNKNOWN;
            }
            choice.answer(size, room(size), there);
        } catch (IOException e) {
            // The program's own request meets the error.
        }
    }

    /**
     * To be asked when nothing else is left to choose. True if direct pages will not be chosen
     * either, as the file fits: then the open is the kernel's for good.
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

    /** True if it is not known yet whether direct pages may be chosen at all. */
    boolean isUnknown() {
        return !beyond && choice.state() != DirectChoice.State.OVER;
    }

    /** True if direct pages are chosen, whether or not they can be had. */
    boolean isChosen() {
        return choice.state() == DirectChoice.State.DIRECT;
    }

    /** True if direct pages are chosen, or may be yet. */
    boolean isOpen() {
        return choice.state() != DirectChoice.State.OVER;
    }

    void over() {
        choice.over();
    }

    /** Why direct pages are chosen, in words. */
    String reason() {
        return choice.reason();
    }

    /** Memory that could keep pages of files at this moment, bytes. */
    long roomNow() {
        return kernel.roomBytes();
    }
}
