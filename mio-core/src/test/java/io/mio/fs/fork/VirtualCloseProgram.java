package io.mio.fs.fork;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Virtual threads close a channel, or end it by an interrupt, while another one reads the file by a
 * page that is not there yet. All of them share one platform thread.
 */
final class VirtualCloseProgram {
    private static final int ROUNDS = 40;
    private static final int BYTES = 16 << 20;

    private VirtualCloseProgram() {}

    private interface Call {
        void run() throws IOException;
    }

    /** Prints the number of rounds. */
    public static void main(String[] arguments) throws Exception {
        Path file = Files.write(Path.of(arguments[0]), new byte[BYTES]);
        try (FileChannel keeps = FileChannel.open(file, StandardOpenOption.READ)) {
            keeps.read(ByteBuffer.allocate(10), 0);
            int rounds = 0;
            while (rounds < ROUNDS) {
                rounds++;
                round(file, (long) BYTES / (ROUNDS + 1) * rounds, rounds % 2 == 0);
            }
            System.out.println("rounds: " + rounds);
        }
    }

    private static void round(Path file, long cold, boolean interrupts) throws Exception {
        try (FileChannel reads = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel ends = FileChannel.open(file, StandardOpenOption.READ)) {
            Thread reader = start(() -> reads.read(ByteBuffer.allocate(100), cold));
            Thread closer = start(interrupts ? () -> interrupted(ends) : ends::close);
            Thread other = start(interrupts ? () -> interrupted(ends) : () -> {});
            reader.join();
            closer.join();
            other.join();
            if (ends.isOpen()) {
                throw new AssertionError("still open");
            }
        }
    }

    private static void interrupted(FileChannel channel) throws IOException {
        Thread.currentThread().interrupt();
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.read(ByteBuffer.allocate(100), 0);
            throw new AssertionError("read in spite of the interrupt");
        } catch (ClosedByInterruptException e) {
            return;
        }
    }

    private static Thread start(Call call) throws ReflectiveOperationException {
        Runnable task =
                () -> {
                    try {
                        call.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
        // The method exists since JDK 21.
        return (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }
}
