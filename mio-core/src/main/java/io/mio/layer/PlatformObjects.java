package io.mio.layer;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.Channel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The channels and streams of the platform that serve one open of a file; each has one descriptor.
 * They are held by weak references: a file that the program forgot is left to the garbage
 * collector.
 */
public final class PlatformObjects {
    private static final int UNASKED = -2;

    /** The objects of an open that has none. */
    public static final PlatformObjects NONE = new PlatformObjects(false);

    private final boolean writable;
    private final List<WeakReference<Closeable>> objects;

    /** Each object's descriptor number, or {@link #UNASKED}; every thread finds the same one. */
    private final int[] numbers;

    /** See {@link #keep}. */
    private List<? extends Closeable> kept = List.of();

    /** See {@link #writesUngated}. */
    private volatile boolean ungated;

    /**
     * Takes objects that the platform has just opened.
     *
     * @param writable whether their descriptors can write
     */
    public PlatformObjects(boolean writable, Closeable... opened) {
        this.writable = writable;
        this.objects = new ArrayList<>(opened.length);
        this.numbers = new int[opened.length];
        Arrays.fill(numbers, UNASKED);
        for (Closeable object : opened) {
            objects.add(new WeakReference<>(object));
        }
    }

    /**
     * Takes objects that MIO opened on the same file and has no use for, to be closed after the
     * platform's own: closing any descriptor of a file drops the locks that the process has on it.
     * Call this before the open is used.
     */
    public PlatformObjects keep(List<? extends Closeable> unused) {
        kept = unused;
        return this;
    }

    /** Whether {@link #keep} was given objects, which nobody else closes. */
    public boolean isKeeping() {
        return !kept.isEmpty();
    }

    /** Whether the descriptors can write. */
    public boolean isWritable() {
        return writable;
    }

    /** Notes that this open now writes without the file's gate while it has no pages. */
    public void ungated() {
        ungated = true;
    }

    /** Whether a write that began before the file had pages may still be on its way. */
    public boolean writesUngated() {
        return ungated && writable && open() > 0;
    }

    /**
     * Returns how many of the objects certainly have their descriptor. A stream does not tell that
     * it was closed, and counts until it is collected. So it may be closed only when nobody asks
     * here any more, as by {@link #close}.
     */
    public int open() {
        int open = 0;
        for (WeakReference<Closeable> reference : objects) {
            Closeable object = reference.get();
            if (object instanceof Channel channel ? channel.isOpen() : object != null) {
                open++;
            }
        }
        return open;
    }

    /**
     * Adds the descriptor numbers of the channels that are certainly open.
     *
     * @param of returns a channel's number, or -1; asked once for each channel
     */
    public void addNumbers(ToIntFunction<Channel> of, BitSet to) {
        for (int i = 0; i < numbers.length; i++) {
            if (objects.get(i).get() instanceof Channel channel) {
                if (numbers[i] == UNASKED) {
                    numbers[i] = of.applyAsInt(channel);
                }
                // Checked afterwards: a channel that is open now had its number all the time.
                if (numbers[i] >= 0 && channel.isOpen()) {
                    to.set(numbers[i]);
                }
            }
        }
    }

    /** Closes all objects, even if one of them fails; throws the first failure. */
    public void close() throws IOException {
        IOException first = null;
        for (WeakReference<Closeable> reference : objects) {
            first = close(reference.get(), first);
        }
        for (Closeable object : kept) {
            first = close(object, first);
        }
        if (first != null) {
            throw first;
        }
    }

    private static IOException close(Closeable object, IOException first) {
        try {
            if (object != null) {
                object.close();
            }
        } catch (IOException e) {
            if (first == null) {
                return e;
            }
            first.addSuppressed(e);
        }
        return first;
    }
}
