package io.mio.os;

import io.mio.stats.OpenReports;
import java.io.IOException;

/**
 * Chooses the backend of a file: io_uring where helper, kernel and file system allow it, else
 * threads; the caller's own thread where nothing asynchronous is asked for. The setting {@code
 * backend} of the first file system with rules restricts the choice; without such a file system the
 * system property does.
 */
final class BackendChoice {
    private static final String PROPERTY = "mio.backend";

    private static BackendChoice instance;
    private static String wanted;

    private final IoBackend sync = new SyncBackend();
    private final IoBackend threads = new ThreadsBackend();
    private final UringBackend uring;
    private final String asked;
    private boolean saidRefused;
    private boolean probed;
    private String refusal;
    private boolean usesThreads;
    private boolean usesUring;

    BackendChoice(String asked, Ring.Maker maker) {
        this.asked = asked == null ? "" : asked;
        this.uring = new UringBackend(maker, threads);
    }

    /**
     * Chooses for an open.
     *
     * @param asynchronous false: the caller's own thread
     * @param ring whether the file may use a ring
     * @param whyNoRing why no file may use one, or null
     * @param parts gets a line if a ring cannot be had, once per process
     */
    static IoBackend choose(
            boolean asynchronous, boolean ring, String whyNoRing, OwnFile.Parts parts) {
        return instance().chosen(asynchronous, ring, whyNoRing, parts);
    }

    /** See {@link Backends#restrict}. */
    static synchronized void restrict(String name) {
        if (wanted == null) {
            wanted = name;
        }
    }

    /** See {@link Backends#label}. */
    static String label() {
        BackendChoice there;
        synchronized (BackendChoice.class) {
            there = instance;
        }
        return there == null ? "sync" : there.used();
    }

    private static synchronized BackendChoice instance() {
        if (instance == null) {
            String asked = wanted == null ? System.getProperty(PROPERTY) : wanted;
            instance = new BackendChoice(asked, Ring.Native::open);
            OpenReports.afterExit(instance.uring::rest);
        }
        return instance;
    }

    private synchronized String used() {
        if (usesUring && !uring.hasFailed()) {
            return uring.label();
        }
        return usesThreads || usesUring ? threads.label() : sync.label();
    }

    synchronized IoBackend chosen(
            boolean asynchronous, boolean ring, String whyNoRing, OwnFile.Parts parts) {
        if (!asynchronous || asked.equals("sync")) {
            return sync;
        }
        if (!asked.equals("threads") && (ring || whyNoRing != null)) {
            String why = whyNoRing == null ? refusal() : whyNoRing;
            if (why == null) {
                usesUring = true;
                return uring;
            }
            // Set first, because the line may be the first one of a report, whose header names the
            // engine.
            usesThreads = true;
            if (!saidRefused) {
                saidRefused = true;
                parts.say("io_uring: " + why + "; threads instead");
            }
        }
        usesThreads = true;
        return threads;
    }

    /**
     * Returns why a ring is refused, or null. No ring is opened to find out: some milliseconds
     * after its end the kernel interrupts the thread that opened it.
     */
    private String refusal() {
        if (probed) {
            return refusal;
        }
        int result = NativeCalls.ringRefusal();
        IOException failure = result < 0 ? NativeCalls.failure(-result) : null;
        refusal = failure == null ? null : failure.getMessage();
        probed = true;
        return refusal;
    }
}
