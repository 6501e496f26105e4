package io.mio.fs.fork;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads a file forward, backward and forward, and ends with 1 if a byte is not 0. */
public final class LargeFileProgram {
    private static final int BYTES = 100 << 10;

    private LargeFileProgram() {}

    /** Takes one argument, the file. */
    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel =
                FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ)) {
            long last = channel.size() / BYTES - 1;
            ByteBuffer buffer = ByteBuffer.allocate(BYTES);
            for (int pass = 0; pass < 3; pass++) {
                for (long i = 0; i <= last; i++) {
                    buffer.clear();
                    int count = channel.read(buffer, (pass == 1 ? last - i : i) * BYTES);
                    if (count != BYTES || !isZero(buffer.array())) {
                        throw new IOException("pass " + pass + ", piece " + i + ": " + count);
                    }
                }
            }
        }
    }

    private static boolean isZero(byte[] bytes) {
        for (int i = 0; i < bytes.length; i += 512) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
