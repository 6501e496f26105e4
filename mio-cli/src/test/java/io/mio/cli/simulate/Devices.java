package io.mio.cli.simulate;

/** Devices of tests: 1 ms, 1 GB a second, in a machine whose processor takes no time. */
final class Devices {
    static final long LATENCY_NANOS = 1_000_000;

    private Devices() {}

    static Device free(int depth) {
        return in(depth, 0, 0, 0);
    }

    /** A device in a machine that takes so long for one submission, record and wake-up, in ns. */
    static Device in(int depth, long submit, long record, long wake) {
        return new Device(
                LATENCY_NANOS,
                1_000_000_000,
                0,
                depth,
                0,
                0,
                Long.MAX_VALUE,
                submit,
                record,
                wake,
                0,
                Long.MAX_VALUE,
                "test");
    }
}
