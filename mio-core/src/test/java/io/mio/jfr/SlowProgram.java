package io.mio.jfr;

import io.mio.config.StackSpec;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stack.StackBuilder;
import io.mio.trace.NullOs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;

/**
 * Runs for {@link SlowCallForkTest}: calls on a file whose storage is slow beyond an offset. For
 * each slow call it prints what the event must say.
 */
final class SlowProgram {
    static final Duration THRESHOLD = Duration.ofMillis(100);
    private static final long SLOW_FROM = 1 << 20;

    private SlowProgram() {}

    /** Waits for twice the threshold where the storage is slow. */
    private static final class SlowOs extends ForwardingLayer {
        SlowOs() {
            super("os", new NullOs(true));
        }

        private static void linger(long offset) {
            long until = System.nanoTime() + 2 * THRESHOLD.toNanos();
            while (offset >= SLOW_FROM && System.nanoTime() - until < 0) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
        }

        @Override
        public int read(ByteBuffer dst, long offset) throws IOException {
            linger(offset);
            return super.read(dst, offset);
        }

        @Override
        public int write(ByteBuffer src, long offset) throws IOException {
            linger(offset);
            return super.write(src, offset);
        }

        @Override
        public void submit(IoRequest request) throws IOException {
            Thread thread =
                    new Thread(
                            () -> {
                                linger(request.offset());
                                request.complete(request.requested(), null);
                            });
            thread.start();
        }

        @Override
        public void flush(boolean metadata) throws IOException {
            linger(SLOW_FROM);
            super.flush(metadata);
        }
    }

    public static void main(String[] arguments) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("mio.SlowCall").withThreshold(THRESHOLD);
            recording.start();
            StackBuilder stacks =
                    StackBuilder.load(Map.of("files", "* [ trace ]"), FileSystems.getDefault());
            Watch.look();
            StackSpec spec = stacks.match("slow.dat");
            OpenRequest request =
                    new OpenRequest("slow.dat", 2, -1, 0, System.nanoTime(), 0, new Nowhere());
            Layer file = stacks.open(spec, request, new SlowOs());
            ByteBuffer buffer = ByteBuffer.allocate(100);
            call("write 0 100 100", () -> file.write(buffer.clear(), 0));
            call("read 0 100 100", () -> file.read(buffer.clear(), 0));
            call("write 1048576 100 100", () -> file.write(buffer.clear(), SLOW_FROM));
            call("read 1048626 100 50", () -> file.read(buffer.clear(), SLOW_FROM + 50));
            call("read 2000000 100 0", () -> file.read(buffer.clear(), 2_000_000));
            call("sync -1 0 0", () -> flush(file));
            call("aread 1048576 100 100", () -> asynchronous(file, buffer.clear()));
            file.close();
            recording.stop();
            recording.dump(Path.of("out.jfr"));
        }
    }

    private static int flush(Layer file) throws IOException {
        file.flush(true);
        return 0;
    }

    private static int asynchronous(Layer file, ByteBuffer buffer) throws IOException {
        IoRequest request = IoRequest.read(buffer, SLOW_FROM, done -> {});
        file.submit(request);
        request.awaitThroughInterrupts();
        return request.delivered();
    }

    /** Prints a call that was slow; any call may "perhaps" be slow on a busy machine. */
    private static void call(String expected, Layer.IoCall<Integer> call) throws IOException {
        long began = System.nanoTime();
        call.call();
        boolean surely = !expected.contains(" 0 100 ");
        if (surely || System.nanoTime() - began >= THRESHOLD.toNanos()) {
            System.out.println((surely ? "slow " : "perhaps ") + expected);
        }
    }

    private static final class Nowhere implements OpenRequest.Place {
        @Override
        public String type() {
            return "none";
        }

        @Override
        public long sectorBytes() {
            return 512;
        }
    }
}
