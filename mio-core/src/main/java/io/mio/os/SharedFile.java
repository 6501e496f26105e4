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
 * when first needed. All are held until the last open is done: closing one earlier would drop the
 * locks the process has on the file.
 */
final class SharedFile {
    /** Opens a descriptor that is not open yet. */
    interface Opener {
        Descriptor open() throws IOException;
    }

    private static final ConcurrentHashMap<FileKey, SharedFile> FILES = new ConcurrentHashMap<>();

    /** In place of an access: the two opens by which large folios are read ahead. */
    static final int FOLIOS = 3;

    private static final int ACCESSES = 4;
    private static final int WAYS = 4;

    private final FileKey key;
    private final Descriptor[] descriptors = new Descriptor[ACCESSES * WAYS];

    /** Descriptors that stay open unused, see {@link #setAside}. */
    private final List<Descriptor> aside = new ArrayList<>(0);

    private int opens;
    private volatile boolean bufferedOnly;

    /** True while a thread uses the two descriptors of {@link #FOLIOS}. */
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
     * Ends an open. The last one closes all descriptors, while no new open can enter: a lock that
     * is taken after that must not be dropped.
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
     * Returns what {@code counting} counts, less those descriptors held here that have no number to
     * be passed over by. None of them comes or goes meanwhile.
     *
     * @return null if {@code counting} returns null
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
     * Returns the descriptor of an access and way, opened if need be.
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

    /** The descriptors that are open now, each at its index. */
    synchronized Descriptor[] now() {
        return descriptors.clone();
    }

    /**
     * Sets aside the descriptors opened since {@code before}, because they may be another file's:
     * nobody gets them any more. They stay open as all others do, and count as somebody else's.
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

    /** Number of descriptors set aside. */
    synchronized int setAside() {
        return aside.size();
    }

    /** Takes the descriptors of {@link #FOLIOS}; false if another thread has them. */
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
