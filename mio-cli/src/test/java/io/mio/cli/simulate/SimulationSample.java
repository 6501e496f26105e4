package io.mio.cli.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes the recording of which the goldens are made: a file of 8 MiB is read forward, backward and
 * at random places of its first half, and written at its end.
 */
public final class SimulationSample {
    private static final int SIZE = 8 << 20;
    private static final int RECORD = 16 << 10;
    private static final int RANDOM_READS = 400;
    private static final long CALL_NANOS = 400_000;
    private static final long THINK_NANOS = 50_000;

    private SimulationSample() {}

    /**
     * @param args the file; anything after it: the recording has only an open and a close
     */
    public static void main(String[] args) throws IOException {
        if (args.length > 1) {
            new MadeRun(Path.of(args[0]), "/scratch/a.dat", SIZE, CALL_NANOS, THINK_NANOS).close();
        } else {
            write(Path.of(args[0]));
        }
    }

    private static void write(Path file) throws IOException {
        try (MadeRun run = new MadeRun(file, "/scratch/a.dat", SIZE, CALL_NANOS, THINK_NANOS)) {
            for (int at = 0; at < SIZE; at += RECORD) {
                run.read(at, RECORD);
            }
            for (int at = SIZE - RECORD; at >= 0; at -= RECORD) {
                run.read(at, RECORD);
            }
            Random random = new Random(1);
            for (int i = 0; i < RANDOM_READS; i++) {
                run.read(random.nextInt(SIZE / 2 / 4096) * 4096L, 4096);
            }
            for (int i = 0; i < 32; i++) {
                run.write(SIZE + (long) i * RECORD, RECORD);
            }
        }
    }
}
