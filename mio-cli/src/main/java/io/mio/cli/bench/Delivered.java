package io.mio.cli.bench;

import java.io.IOException;

/** Tells what storage has delivered while a cold test ran, which proves that the test was cold. */
public interface Delivered {
    /** The kernel's own count of what the device delivered to the workers. */
    Delivered BY_DEVICE =
            new Delivered() {
                @Override
                public void begin() {}

                @Override
                public long bytes(Sample sample) {
                    return sample.deviceReadBytes();
                }
            };

    /** Begins to count: the test begins now. */
    void begin() throws IOException, InterruptedException;

    /** Returns the bytes delivered since {@link #begin}: the test has ended. */
    long bytes(Sample sample) throws IOException, InterruptedException;
}
