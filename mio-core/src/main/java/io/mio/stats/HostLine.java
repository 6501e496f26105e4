package io.mio.stats;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The one line MIO may write to the host's stderr when something cannot go on as asked. */
public final class HostLine {
    private HostLine() {}

    /**
     * Writes {@code mio: TEXT}. Does not use {@code System.err}: the program may have replaced it,
     * may hold its lock, and may not have it yet.
     */
    public static void write(String text) {
        byte[] bytes = ("mio: " + text + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            new FileOutputStream(FileDescriptor.err).write(bytes);
        } catch (IOException | SecurityException lost) {
            // There is no other way to tell, or the program may not write there.
        }
    }
}
