package io.mio.os;

/** A way to do page requests. */
abstract class IoBackend {
    private final String label;

    IoBackend(String label) {
        this.label = label;
    }

    /** Name for reports, see {@link Backends#label}. */
    final String label() {
        return label;
    }

    /** False if {@link #submit} does the request before it returns. */
    boolean isAsynchronous() {
        return true;
    }

    /** Takes over a request that has entered its file; completes it in any case, exactly once. */
    abstract void submit(Transfer transfer);
}
