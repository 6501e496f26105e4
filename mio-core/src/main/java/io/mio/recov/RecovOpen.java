package io.mio.recov;

import io.mio.layer.Layer.IoCall;
import io.mio.recov.Attempts.Call;
import io.mio.stats.StatsOutput;
import java.io.IOException;

/** Tries opens again. They happen at the door, before there are layers. */
public final class RecovOpen {
    private RecovOpen() {}

    /**
     * Runs {@code open}, and repeats it as the options say when it is refused or finds no space.
     *
     * @param file name as the program gave it
     * @throws IOException what the last attempt threw
     */
    public static <T> T opening(
            RecovOptions options, String file, StatsOutput output, IoCall<T> open)
            throws IOException {
        Attempts attempts = null;
        while (true) {
            try {
                T opened = open.call();
                if (attempts != null) {
                    attempts.succeeded();
                }
                return opened;
            } catch (IOException e) {
                if (attempts == null) {
                    attempts = new Attempts(new RecovFile(options, file, output), Call.OPEN);
                }
                if (!attempts.again(e, 0)) {
                    throw e;
                }
            }
        }
    }
}
