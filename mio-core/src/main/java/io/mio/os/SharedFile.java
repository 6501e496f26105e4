package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * MIO's own descriptors of one file, shared by all its opens: one for each access and way, opened
 * when first needed, all held until the last open is done. Closing any of them earlier would drop
 * the locks the process has on the file.
 */
final class SharedFile {
    /** Opens a descriptor that is not there yet. */
    interface Opener {
        Descriptor open() throws IOException;
    }

    private static final ConcurrentHashMap<FileKey, SharedFile> FILES = new ConcurrentHashMap<>();

    /** In place of an access: two opens that large folios are read ahead by. */
    static final int FOLIOS = 3;

    private static final int ACCESSES = 4;
    private static final int WAYS = 4;

    private final FileKey key;
    private final Descriptor[] descriptors = new Descriptor[ACCESSES * WAYS];

    /** Open, and no use, see {@link #setAside}. */
    private final List<Descriptor> aside = new ArrayList<>(0);

    private int opens;
    private volatile boolean bufferedOnly;

    /** Held while the two of {@link #FOLIOS} are used. */
    private final AtomicBoolean folios = new AtomicBoolean();

    private SharedFile(FileKey key) {
        this.key = key;
    }

    /** Enters an open. */
    static SharedFile enter(FileKey key) {
        return FILES.compute(
                key,
                (any, there) -> {
                    SharedFile file = there == null ? new SharedFile(key) : there;
                    file.opens++;
                    return file;
                });
    }

    /**
     * An open is done. The last one closes all, while no new one can enter: a lock taken after that
     * must not be dropped by it.
     */
    void leave() {
        FILES.computeIfPresent(
                key,
                (any, there) -> {
                    if (--there.opens > 0) {
                        return there;
                    }
                    there.closeAll();
                    return null;
                });
    }

    private synchronized void closeAll() {
        for (int i = 0; i < descriptors.length; i++) {
            if (descriptors[i] != null) {
                descriptors[i].close();
                descriptors[i] = null;
            }
        }
        for (Descriptor each : aside) {
            each.close();
        }
        aside.clear();
    }

    /**
     * What {@code counting} counts, without the descriptors held here that have no number to be
     * passed over by. None of them comes or goes meanwhile.
     *
     * @return null if that returns null
     */
    static Descriptors.Count withoutOwn(FileKey key, Supplier<Descriptors.Count> counting) {
        SharedFile file = FILES.get(key);
        return file == null ? counting.get() : file.withoutOwn(counting);
    }

    private synchronized Descriptors.Count withoutOwn(Supplier<Descriptors.Count> counting) {
        Descriptors.Count all = counting.get();
        if (all == null) {
            return null;
        }
        int readers = 0;
        int own = 0;
        for (int i = 0; i < descriptors.length; i++) {
            if (descriptors[i] != null && descriptors[i].number() < 0) {
                own++;
                int access = i / WAYS;
                readers += access == NativeCalls.READ || access == FOLIOS ? 1 : 0;
            }
        }
        return new Descriptors.Count(all.readers() - readers, all.writers() - (own - readers));
    }

    FileKey key() {
        return key;
    }

    /**
     * The descriptor of an access and way.
     *
     * @param access {@link NativeCalls#READ} and the like
     * @param direct whether it is direct
     * @param platform whether it is one of the platform's
     * @throws IOException what {@code opener} threw; it is asked again next time
     */
    synchronized Descriptor descriptor(int access, boolean direct, boolean platform, Opener opener)
            throws IOException {
        int index = access * WAYS + (direct ? 1 : 0) + (platform ? 2 : 0);
        if (descriptors[index] == null) {
            descriptors[index] = opener.open();
        }
        return descriptors[index];
    }

    /** The descriptors that there are, each at its place. */
    synchronized Descriptor[] now() {
        return descriptors.clone();
    }

    /**
     * Nobody gets those any more that have come since {@code before}: they may be another file's.
     * They stay open as all others do, and count as somebody else's.
     */
    synchronized void setAside(Descriptor[] before) {
        for (int i = 0; i < descriptors.length; i++) {
            if (descriptors[i] != before[i]) {
                aside.add(descriptors[i]);
                OwnNumbers.remove(descriptors[i].number());
                descriptors[i] = null;
            }
        }
    }

    /** How many are set aside. */
    synchronized int setAside() {
        return aside.size();
    }

    /** True if no other thread uses what large folios are read ahead by, until it is given back. */
    boolean takeFolios() {
        return folios.compareAndSet(false, true);
    }

    void giveFolios() {
        folios.set(false);
    }

    /** True once all requests have to be buffered, see {@link BackendFile#stopDirect}. */
    boolean isBufferedOnly() {
        return bufferedOnly;
    }

    void stopDirect() {
        bufferedOnly = true;
    }
}
