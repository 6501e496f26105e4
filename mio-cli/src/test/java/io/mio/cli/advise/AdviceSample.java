package io.mio.cli.advise;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes the recording of which the goldens are made: a table read backward, runs that are merged,
 * a file read from the kernel's page cache, one read at random, and one that is written.
 */
public final class AdviceSample {
    private static final int REQUEST = 4096;
    private static final int SIZE = 8 << 20;
    private static final int RUNS = 4;

    private AdviceSample() {}

    /**
     * @param args the file
     */
    public static void main(String[] args) throws IOException {
        try (MadeProgram program = new MadeProgram(Path.of(args[0]))) {
            int table = program.open("/data/back.db", SIZE);
            for (int at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
                program.read(table, at, REQUEST, MadeProgram.COLD);
            }
            program.finish(table);
            int[] runs = new int[RUNS];
            for (int i = 0; i < RUNS; i++) {
                runs[i] = program.open("/data/runs/part-" + i, SIZE);
            }
            int out = program.open("/data/merged", 0);
            for (int at = 0; at < SIZE; at += REQUEST) {
                for (int run : runs) {
                    program.read(run, at, REQUEST, at % (1 << 20) == 0 ? 400_000 : 8_000);
                    program.write(out, (long) at * RUNS, REQUEST, 2_500);
                }
            }
            int warm = program.open("/data/warm.dat", 4L * SIZE);
            for (int at = 0; at < 4 * SIZE; at += 1 << 18) {
                program.read(warm, at, 1 << 18, 20 * MadeProgram.WARM);
            }
            int index = program.open("/data/index.db", 64L * SIZE);
            Random random = new Random(1);
            for (int i = 0; i < 500; i++) {
                long at = (long) random.nextInt(64 * SIZE / REQUEST) * REQUEST;
                program.read(index, at, REQUEST, MadeProgram.COLD);
            }
        }
    }
}
