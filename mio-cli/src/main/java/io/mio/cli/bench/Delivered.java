package io.mio.cli.bench;

import java.io.IOException;

/** Tells what storage has delivered while a cold test ran, which proves that it was cold. */
public interface Delivered {
    /** The kernel's own count, for the workers. */
    Delivered BY_DEVICE =
            new Delivered() {
                @Override
                public void begin() {}

                @Override
                public long bytes(Sample sample) {
                    return sample.deviceReadBytes();
                }
            };

    /** The test begins now. */
    void begin() throws IOException, InterruptedException;

    /** The test is over. */
    long bytes(Sample sample) throws IOException, InterruptedException;
}
