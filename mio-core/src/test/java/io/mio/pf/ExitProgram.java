package io.mio.pf;

import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** Runs for {@link PfExitForkTest}, in a JVM of its own, as its cache is of no use afterwards. */
final class ExitProgram {
    private ExitProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[8192]);
        FileKey key = PfFixture.newKey();
        PfLayer before = open(below, key);
        before.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100);
        System.out.println("written: " + at(below, 100));
        exitsDuringAWrite();
        System.out.println("at exit: " + at(below, 100));
        before.write(ByteBuffer.wrap(new byte[] {4, 5, 6}), 100);
        System.out.println("written later: " + at(below, 100));
        FileKey otherKey = PfFixture.newKey();
        MemoryFile other = new MemoryFile(Runnable::run).holding(new byte[8192]);
        PfLayer after = open(other, otherKey);
        after.write(ByteBuffer.wrap(new byte[] {7, 8, 9}), 100);
        System.out.println("opened later: " + at(other, 100));
    }

    /** A program whose last bytes cannot be written; it never closes the file. */
    static final class Full {
        private Full() {}

        public static void main(String[] arguments) throws IOException {
            MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[8192]);
            PfLayer layer = open(below, PfFixture.newKey());
            layer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100);
            below.fault((write, offset, length) -> write ? new IOException("no\nspace") : null);
            CachedFiles.exit();
        }
    }

    /** Exits while a thread is about to copy its bytes into a page. */
    private static void exitsDuringAWrite() throws IOException, InterruptedException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[8192]);
        FileKey key = PfFixture.newKey();
        PfLayer layer = open(below, key);
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        below.fault(
                (write, offset, length) -> {
                    reads.countDown();
                    await(goesOn);
                    return null;
                });
        Thread writer = new Thread(() -> writeAlone(layer, key));
        writer.start();
        reads.await();
        Thread exit = new Thread(CachedFiles::exit);
        exit.start();
        while (exit.isAlive() && exit.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        goesOn.countDown();
        exit.join();
        System.out.println("on its way: " + at(below, 100));
        writer.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void writeAlone(PfLayer layer, FileKey key) {
        FileGate gate = CachedFiles.find(key).gate();
        long stamp = gate.alone();
        try {
            layer.write(ByteBuffer.wrap(new byte[] {1, 1, 1}), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            gate.leave(stamp);
        }
    }

    private static PfLayer open(MemoryFile below, FileKey key) throws IOException {
        return PfFixture.open("cache=64k/page=4k/private", below, key, OpenFlags.RDWR);
    }

    private static String at(MemoryFile below, int offset) {
        return Arrays.toString(Arrays.copyOfRange(below.content(), offset, offset + 3));
    }
}
