package io.mio.benchmarks;

import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Makes a large events file, to test readers with. The real writer makes it, in a real run of
 * threads. Each thread goes through a file of its own (64 MiB, sparse, beside the events file and
 * removed at the end) in one way: forward in 4 KB, forward in 100 bytes, backward in 4 KB, strided,
 * random in requests of many sizes, written with a flush now and then, or asynchronously with eight
 * requests on their way. There is a trace above and below a cache of 2 MB.
 *
 * <p>Rounds of opens, calls and closes go on until there are as many events as wanted; there may be
 * some more. The same seed makes the same calls; times and page events are those of the run.
 *
 * <pre>
 * mvn -B -ntp -DskipTests package
 * java -cp benchmarks/target/benchmarks.jar io.mio.benchmarks.EventsFileGenerator /tmp/x.mio 10000000 1
 * </pre>
 */
public final class EventsFileGenerator {
    private static final String USAGE =
            "Usage: java -cp benchmarks.jar io.mio.benchmarks.EventsFileGenerator"
                    + " FILE [EVENTS [SEED]]\n"
                    + "  at least so many events (10000000); the same seed (1), the same calls";
    private static final long EVENTS = 10_000_000;
    private static final long SEED = 1;

    /** A trace above and below a cache of little memory, so that pages come and go. */
    private static final String RULE =
            "* [ trace/events={FILE}/events_limit=1t | pf/cache=2m/page=64k"
                    + " | trace/events={FILE}/events_limit=1t ]";

    private static final long FILE_BYTES = 64 << 20;
    private static final int LARGEST = 1 << 17;
    private static final int SMALL = 100;
    private static final int BLOCK = 4096;
    private static final int STRIDE = 16 * BLOCK;
    private static final int DEPTH = 8;

    /** Number of writes for each flush. */
    private static final int WRITES_PER_FLUSH = 100;

    /** Rounds that the wanted events would take if each call made two; calls make two and more. */
    private static final long ROUNDS = 20;

    private final Path events;
    private final long wanted;
    private final SplittableRandom random;
    private final Path data;

    private EventsFileGenerator(Path events, long wanted, long seed) throws IOException {
        this.events = events.toAbsolutePath();
        this.wanted = wanted;
        this.random = new SplittableRandom(seed);
        this.data = Files.createTempDirectory(this.events.getParent(), "mio-events-");
    }

    /** Makes the file; ends with status 2 if the arguments are wrong. */
    @SuppressWarnings("SystemOut") // It is a program.
    public static void main(String[] args) throws IOException, InterruptedException {
        long wanted;
        long seed;
        try {
            wanted = args.length > 1 ? Long.parseLong(args[1]) : EVENTS;
            seed = args.length > 2 ? Long.parseLong(args[2]) : SEED;
        } catch (NumberFormatException e) {
            wanted = 0;
            seed = 0;
        }
        if (args.length < 1 || args.length > 3 || wanted < 1 || args[0].startsWith("-")) {
            System.err.println(USAGE);
            System.exit(2);
            return;
        }
        long made = generate(Path.of(args[0]), wanted, seed);
        System.out.println(made + " events, seed " + seed);
    }

    /**
     * Makes the file, at most once in a JVM for each name.
     *
     * @return how many events there are
     */
    static long generate(Path file, long wanted, long seed)
            throws IOException, InterruptedException {
        EventsFileGenerator generator = new EventsFileGenerator(file, wanted, seed);
        try {
            return generator.run();
        } finally {
            generator.clean();
        }
    }

    /** One way to go through a file. */
    private interface Way {
        void go(Path file, long calls, SplittableRandom random)
                throws IOException, InterruptedException;
    }

    private long run() throws IOException, InterruptedException {
        Map<String, Way> ways =
                Map.of(
                        "forward.dat", EventsFileGenerator::forward,
                        "records.dat", EventsFileGenerator::records,
                        "backward.dat", EventsFileGenerator::backward,
                        "strided.dat", EventsFileGenerator::strided,
                        "random.dat", EventsFileGenerator::random,
                        "written.dat", EventsFileGenerator::write,
                        "asynchronous.dat", EventsFileGenerator::asynchronous);
        for (String name : ways.keySet()) {
            try (FileChannel channel =
                    FileChannel.open(
                            data.resolve(name),
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(1), FILE_BYTES - 1);
            }
        }
        long calls = Math.max(1, wanted / ROUNDS / (2L * ways.size()));
        ExecutorService threads = Executors.newFixedThreadPool(ways.size());
        try (FileSystem mio =
                FileSystems.newFileSystem(
                        URI.create("mio://generator/"),
                        Map.of("files", RULE.replace("FILE", events.toString())))) {
            long made = 0;
            while (made < wanted) {
                List<Future<?>> running = new ArrayList<>();
                // In the order of their names, so that the same seed means the same calls for each
                // file.
                for (String name : ways.keySet().stream().sorted().toList()) {
                    SplittableRandom mine = random.split();
                    Path file = mio.getPath(data.resolve(name).toString());
                    running.add(
                            threads.submit(
                                    () -> {
                                        ways.get(name).go(file, calls, mine);
                                        return null;
                                    }));
                }
                for (Future<?> one : running) {
                    await(one);
                }
                made = count();
            }
            return made;
        } finally {
            threads.shutdown();
        }
    }

    private static <T> T await(Future<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure
                    ? failure
                    : new IOException(e.getCause());
        }
    }

    private long count() throws IOException {
        long count = 0;
        try (EventReader reader = EventReader.open(events)) {
            // Count only if the file could hold enough events: most rounds need no count.
            if (Files.size(events) / EventFormat.RECORD_BYTES < wanted) {
                return 0;
            }
            while (reader.next() != null) {
                count++;
            }
        }
        return count;
    }

    private void clean() throws IOException {
        List<Path> files;
        try (java.util.stream.Stream<Path> list = Files.list(data)) {
            files = list.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(data);
    }

    // ---- ways

    private static void forward(Path file, long calls, SplittableRandom random) throws IOException {
        read(file, calls, BLOCK, random.nextLong(FILE_BYTES / BLOCK) * BLOCK, BLOCK);
    }

    private static void records(Path file, long calls, SplittableRandom random) throws IOException {
        read(file, calls, SMALL, random.nextLong(FILE_BYTES / SMALL) * SMALL, SMALL);
    }

    private static void backward(Path file, long calls, SplittableRandom random)
            throws IOException {
        read(file, calls, BLOCK, random.nextLong(FILE_BYTES / BLOCK) * BLOCK, -BLOCK);
    }

    private static void strided(Path file, long calls, SplittableRandom random) throws IOException {
        read(file, calls, BLOCK, random.nextLong(FILE_BYTES / BLOCK) * BLOCK, STRIDE);
    }

    /** Reads from a place in equal steps, and goes on at the other end of the file. */
    private static void read(Path file, long calls, int bytes, long from, long step)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        long places = FILE_BYTES / bytes * bytes;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long call = 0; call < calls; call++) {
                channel.read(buffer.clear(), Math.floorMod(from + call * step, places));
            }
        }
    }

    private static void random(Path file, long calls, SplittableRandom random) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(LARGEST);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long call = 0; call < calls; call++) {
                // Many small requests and few large ones; reads past the end get nothing.
                int bytes = 1 + random.nextInt(LARGEST >> random.nextInt(17));
                channel.read(buffer.clear().limit(bytes), random.nextLong(FILE_BYTES));
            }
        }
    }

    private static void write(Path file, long calls, SplittableRandom random) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BLOCK);
        long from = random.nextLong(FILE_BYTES / BLOCK) * BLOCK;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (long call = 0; call < calls; call++) {
                channel.write(buffer.clear(), (from + call * BLOCK) % FILE_BYTES);
                if (call % WRITES_PER_FLUSH == WRITES_PER_FLUSH - 1) {
                    channel.force(false);
                }
            }
        }
    }

    private static void asynchronous(Path file, long calls, SplittableRandom random)
            throws IOException, InterruptedException {
        OpenOption[] options = {StandardOpenOption.READ};
        ArrayDeque<ByteBuffer> buffers = new ArrayDeque<>();
        ArrayDeque<Future<Integer>> running = new ArrayDeque<>();
        try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, options)) {
            for (long call = 0; call < calls; call++) {
                ByteBuffer buffer;
                if (running.size() < DEPTH) {
                    buffer = ByteBuffer.allocateDirect(BLOCK);
                } else {
                    await(running.poll());
                    buffer = buffers.poll();
                }
                long at = random.nextLong(FILE_BYTES / BLOCK) * BLOCK;
                running.add(channel.read(buffer.clear(), at));
                buffers.add(buffer);
            }
            while (!running.isEmpty()) {
                await(running.poll());
            }
        }
    }
}
