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
 * Keeps them from nothing: a file that the program forgot is the garbage collector's.
 */
public final class PlatformObjects {
    private static final int UNASKED = -2;

    /** Of an open that has none. */
    public static final PlatformObjects NONE = new PlatformObjects(false);

    private final boolean writable;
    private final List<WeakReference<Closeable>> objects;

    /** Of each object its descriptor's, once somebody has asked; the same whoever asks. */
    private final int[] numbers;

    /** See {@link #keep}. */
    private List<? extends Closeable> kept = List.of();

    /** See {@link #writesUngated}. */
    private volatile boolean ungated;

    /**
     * Just opened by the platform.
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
     * Has what MIO opened on the same file, and has no use for, closed behind them: closing any
     * descriptor drops the locks the process has on a file, as theirs does. Before they are used.
     */
    public PlatformObjects keep(List<? extends Closeable> unused) {
        kept = unused;
        return this;
    }

    /** Whether there is such a thing, which nobody else closes. */
    public boolean isKeeping() {
        return !kept.isEmpty();
    }

    /** Whether their descriptors can write. */
    public boolean isWritable() {
        return writable;
    }

    /** From now on its open writes without the file's gate, as long as the file has no pages. */
    public void ungated() {
        ungated = true;
    }

    /** Whether a write of its open may be on its way that began before the file had pages. */
    public boolean writesUngated() {
        return ungated && writable && open() > 0;
    }

    /**
     * How many have their descriptor for sure. A stream does not tell that somebody closed it: only
     * {@link #close} may, or nobody asks any more.
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
     * The numbers of the descriptors that are channels' and open for sure.
     *
     * @param of tells a channel's number, or -1; asked once for each
     */
    public void addNumbers(ToIntFunction<Channel> of, BitSet to) {
        for (int i = 0; i < numbers.length; i++) {
            if (objects.get(i).get() instanceof Channel channel) {
                if (numbers[i] == UNASKED) {
                    numbers[i] = of.applyAsInt(channel);
                }
                // Asked afterwards: one that is open now had its number all the time.
                if (numbers[i] >= 0 && channel.isOpen()) {
                    to.set(numbers[i]);
                }
            }
        }
    }

    /** Closes all of them, whatever happens to one; throws the first failure. */
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
