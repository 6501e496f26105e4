package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.mio.pf.Sharing;
import io.mio.stack.SmallMemory;
import io.mio.stack.StackBuilder;
import io.mio.stack.Stacks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Random use of files through the doors: channels, asynchronous channels, streams and {@code
 * Files}, under several names, with and without a rule, in one thread and in several. Each call is
 * compared with the plain JDK's on twin files, and so are all bytes again and again.
 *
 * <p>What is drawn depends only on what was drawn before and on which names have files. The native
 * exercisers draw the same ({@code mio-native/test/exerciser_plan.h}); the golden case {@code
 * twin/exerciser/operations.txt} holds both to it.
 */
final class DoorExerciser implements AutoCloseable {
    private static final int CHANNELS = 4;
    private static final int PLACE_MAX = 150_000;
    private static final int ROUND = 200;
    private static final OpenOption[][] MODES = {
        {READ, WRITE}, {READ, WRITE, CREATE}, {READ}, {WRITE}, {APPEND, CREATE}
    };

    /** A file with a rule, a hard link and a symbolic link to it without one, and another file. */
    private static final String[] NAMES = {"one.dat", "one.hard", "one.link", "two.dat"};

    /** The number of small reads that make {@code pf/auto} take pages. */
    private static final int PRIMING = 80;

    /** The size of larger reads that make it take pages past the kernel's cache. */
    private static final int PRIMING_BYTES = 12 << 10;

    private static final int PRIMING_LARGE = 10;

    private final Random random;
    private final ExerciserFiles files;
    private final boolean primes;
    private final boolean primesLarge;
    private int pastKernel;
    private final List<Opened> opened = new ArrayList<>();
    private int cursor;

    /** Two channels of one kind on twin files. */
    private record Opened(boolean ruled, Object key, Closeable mio, Closeable plain) {
        Closeable on(boolean oracle) {
            return oracle ? plain : mio;
        }

        void close() throws IOException {
            mio.close();
            plain.close();
        }
    }

    @FunctionalInterface
    private interface ChannelCall {
        Object on(FileChannel channel) throws Exception;
    }

    DoorExerciser(Path directory, String layers, long seed) throws IOException {
        this(directory, layers, seed, line -> {});
    }

    /**
     * @param told is given every operation as a line of the golden case
     */
    DoorExerciser(Path directory, String layers, long seed, Consumer<String> told)
            throws IOException {
        this(directory, layers, seed, DoorExerciser::stacks, false, told);
    }

    /** Runs as on a machine without memory: {@code pf/auto} reads past the kernel's cache. */
    static DoorExerciser pastKernel(Path directory, String layers, long seed) throws IOException {
        Function<String, Stacks> small = rules -> SmallMemory.stacks(rules, 1 << 16);
        return new DoorExerciser(directory, layers, seed, small, true, line -> {});
    }

    private DoorExerciser(
            Path directory,
            String layers,
            long seed,
            Function<String, Stacks> byRules,
            boolean primesLarge,
            Consumer<String> told)
            throws IOException {
        random = new Random(seed);
        primes = layers.contains("pf/auto");
        this.primesLarge = primesLarge;
        files = new ExerciserFiles(directory, byRules, layers, told);
        create();
    }

    private static Stacks stacks(String rules) {
        return StackBuilder.load(Map.of("files", rules), FileSystems.getDefault());
    }

    /** The number of opens so far that got pages past the kernel's cache. */
    int pastKernel() {
        return pastKernel;
    }

    /** Does at least {@code calls} calls, in whole rounds. */
    void run(int calls) throws Exception {
        int done = 0;
        while (done < calls) {
            for (int i = 0; i < ROUND; i++) {
                step();
            }
            done += ROUND;
            if (random.nextInt(4) == 0) {
                done += threads();
            }
            compare(random.nextInt(10) == 0);
        }
        closeAll();
        compare(true);
    }

    private void compare(boolean kernelToo) throws IOException {
        files.compare("one.dat", kernelToo);
        files.compare("two.dat", kernelToo);
    }

    private void create() {
        byte[] bytes = bytes(random.nextInt(PLACE_MAX));
        files.both(
                "create: one.dat, " + digest(bytes),
                root -> Files.write(root.resolve("one.dat"), bytes) != null);
        files.both(
                "link: one.hard one.link",
                root -> {
                    Files.deleteIfExists(root.resolve("one.hard"));
                    Files.deleteIfExists(root.resolve("one.link"));
                    Files.createLink(root.resolve("one.hard"), root.resolve("one.dat"));
                    Path target = root.getFileSystem().getPath("one.dat");
                    return Files.createSymbolicLink(root.resolve("one.link"), target) != null;
                });
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Their number and a check sum: whoever is told of an operation knows its bytes. */
    private static String digest(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return bytes.length + " bytes " + String.format("%08x", crc.getValue());
    }

    private void step() throws IOException {
        int what = random.nextInt(1000);
        if (what < 900 && !opened.isEmpty()) {
            Opened twin = opened.get(random.nextInt(opened.size()));
            if (twin.plain() instanceof FileChannel) {
                channelStep(twin);
            } else {
                asynchronousStep(twin);
            }
        } else if (what < 960) {
            openOrClose();
        } else {
            fileStep();
        }
    }

    // ---- channels

    private void openOrClose() throws IOException {
        if (opened.size() == CHANNELS || (!opened.isEmpty() && random.nextInt(3) == 0)) {
            closeOne();
            return;
        }
        String name = NAMES[random.nextInt(NAMES.length)];
        OpenOption[] mode = MODES[random.nextInt(MODES.length)];
        boolean ruled = name.endsWith(".dat");
        boolean asynchronous = random.nextInt(4) == 0 && mode[0] != APPEND;
        Object key = key(name);
        if (!ruled && !isCached(key)) {
            // An open without a rule, made before there are pages, is the platform's own object.
            return;
        }
        Closeable[] both = new Closeable[2];
        files.both(
                "open: " + name + ", " + words(mode) + (asynchronous ? ", asynchronous" : ""),
                root -> {
                    Path path = root.resolve(name);
                    both[files.isOracle(root) ? 1 : 0] =
                            asynchronous
                                    ? AsynchronousFileChannel.open(path, mode)
                                    : FileChannel.open(path, mode);
                    return true;
                });
        if (both[0] != null) {
            if (primes && mode[0] == READ && both[0] instanceof FileChannel channel) {
                prime(channel);
            }
            files.tell("opened: " + opened.size());
            opened.add(new Opened(ruled, key(name), both[0], both[1]));
        }
    }

    private void prime(FileChannel channel) throws IOException {
        if (primesLarge) {
            long before = SmallMemory.usedBytes();
            for (int i = 0; i < PRIMING_LARGE; i++) {
                channel.read(ByteBuffer.allocate(PRIMING_BYTES), (long) i * PRIMING_BYTES);
            }
            pastKernel += SmallMemory.usedBytes() > before ? 1 : 0;
            return;
        }
        for (int i = 0; i < PRIMING; i++) {
            channel.read(ByteBuffer.allocate(1), i);
        }
    }

    private static String words(OpenOption... options) {
        return Stream.of(options).map(Object::toString).collect(Collectors.joining(" "));
    }

    private Object key(String name) throws IOException {
        Path path = files.oracle().resolve(name);
        return Files.exists(path)
                ? Files.readAttributes(path, BasicFileAttributes.class).fileKey()
                : null;
    }

    private boolean isCached(Object key) {
        return key != null
                && opened.stream().anyMatch(each -> each.ruled() && each.key().equals(key));
    }

    private void closeAll() throws IOException {
        while (!opened.isEmpty()) {
            closeOne();
        }
    }

    private void closeOne() throws IOException {
        int index = random.nextInt(opened.size());
        files.tell("close: " + index);
        opened.remove(index).close();
    }

    private int length() {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(200);
            case 1 -> 512 * (1 + random.nextInt(16));
            case 2, 3 -> random.nextInt(3000);
            default -> random.nextInt(40_000);
        };
    }

    /** An offset for the next call: streams both ways, strides and random jumps. */
    private int place(int length) {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {}
            case 3, 4 -> cursor -= 2 * length;
            case 5 -> cursor += 3 * length;
            default -> cursor = random.nextInt(PLACE_MAX);
        }
        cursor = Math.max(0, Math.min(cursor, PLACE_MAX));
        int offset = cursor;
        cursor += length;
        return offset;
    }

    private void channelStep(Opened twin) {
        int length = length();
        int place = place(length);
        byte[] bytes = bytes(length);
        int parts = 1 + random.nextInt(3);
        boolean direct = random.nextBoolean();
        String at = at(twin, place, bytes) + ", " + parts + " parts" + (direct ? ", direct" : "");
        int what = random.nextInt(1000);
        if (what < 380) {
            both(twin, "read" + at, c -> read(c, buffer(length, direct), place));
        } else if (what < 450) {
            both(twin, "scatter" + at, c -> scatter(c.position(place), length, parts));
        } else if (what < 780) {
            both(twin, "write" + at, c -> c.write(buffer(length, direct).put(bytes).flip(), place));
        } else if (what < 850) {
            both(twin, "gather" + at, c -> gather(c.position(place), bytes, parts));
        } else if (what < 880) {
            both(twin, "write here" + at, c -> c.write(ByteBuffer.wrap(bytes)) + c.position());
        } else if (what < 900) {
            both(twin, "truncate" + at, c -> c.truncate(place).size());
        } else if (what < 940) {
            both(twin, "size" + at, FileChannel::size);
        } else if (what < 944) {
            both(twin, "force" + at, c -> force(c, direct));
        } else if (what < 949) {
            both(twin, "map" + at, c -> mapped(c, place, length));
        } else if (what < 950) {
            both(twin, "write mapped" + at, c -> writeMapped(c, place, bytes));
        } else if (what < 965) {
            both(twin, "lock" + at, c -> locked(c, place, length));
        } else {
            transfer(twin, place, length, what % 2 == 0, at);
        }
    }

    private String at(Opened twin, int place, byte[] bytes) {
        return ": " + opened.indexOf(twin) + ", " + digest(bytes) + " at " + place;
    }

    private Outcome both(Opened twin, String what, ChannelCall call) {
        return files.both(what, root -> call.on((FileChannel) twin.on(files.isOracle(root))));
    }

    private static ByteBuffer buffer(int length, boolean direct) {
        return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    private static Object read(FileChannel channel, ByteBuffer dst, long place) throws IOException {
        return List.of(channel.read(dst, place), dst.flip());
    }

    private static ByteBuffer[] split(byte[] bytes, int parts) {
        ByteBuffer[] buffers = new ByteBuffer[parts];
        int each = bytes.length / parts;
        for (int i = 0; i < parts; i++) {
            int rest = i == parts - 1 ? bytes.length - i * each : each;
            buffers[i] = ByteBuffer.wrap(bytes, i * each, rest);
        }
        return buffers;
    }

    private static Object scatter(FileChannel channel, int length, int parts) throws IOException {
        byte[] bytes = new byte[length];
        long count = channel.read(split(bytes, parts));
        return List.of(count, channel.position(), ExerciserFiles.value(bytes));
    }

    private static Object gather(FileChannel channel, byte[] bytes, int parts) throws IOException {
        return List.of(channel.write(split(bytes, parts)), channel.position());
    }

    private static Object force(FileChannel channel, boolean metadata) throws IOException {
        channel.force(metadata);
        return channel.size();
    }

    private static Object mapped(FileChannel channel, int place, int length) throws IOException {
        long end = Math.min(channel.size(), place + length);
        byte[] bytes = new byte[(int) Math.max(0, end - place)];
        channel.map(FileChannel.MapMode.READ_ONLY, place, bytes.length).get(bytes);
        return ExerciserFiles.value(bytes);
    }

    private static Object writeMapped(FileChannel channel, int place, byte[] bytes)
            throws IOException {
        MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, place, bytes.length);
        map.put(bytes);
        return channel.size();
    }

    private static Object locked(FileChannel channel, int place, int length) throws IOException {
        try (FileLock lock = channel.tryLock(place, length + 1, false)) {
            return lock.isValid();
        }
    }

    private void transfer(Opened twin, int place, int length, boolean to, String at) {
        int index = random.nextInt(opened.size());
        Opened other = opened.get(index);
        if (!(other.plain() instanceof FileChannel) || other.key().equals(twin.key())) {
            return;
        }
        String what = (to ? "transfer to" : "transfer from") + at + ", other " + index;
        if (!twin.ruled() && refuses(other, to)) {
            // The platform's own channel checks an end of its own class at once; other ends refuse
            // when it comes to them, which is never if there is nothing to transfer.
            files.tell(what);
            return;
        }
        both(
                twin,
                what,
                c -> {
                    FileChannel end = (FileChannel) other.on(c == twin.plain());
                    long bytes =
                            to
                                    ? c.transferTo(place, length, end)
                                    : c.transferFrom(end, place, length);
                    return List.of(bytes, end.position());
                });
    }

    /** Whether the channel was not opened for that access. */
    private static boolean refuses(Opened opened, boolean writes) {
        FileChannel channel = (FileChannel) opened.plain();
        try {
            // Neither call changes anything.
            if (writes) {
                channel.truncate(Long.MAX_VALUE);
            } else {
                channel.read(ByteBuffer.allocate(0));
            }
            return false;
        } catch (NonWritableChannelException | NonReadableChannelException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void asynchronousStep(Opened twin) {
        int length = 1 + length();
        int place = place(length);
        byte[] bytes = bytes(length);
        boolean reads = random.nextBoolean();
        boolean cuts = random.nextInt(30) == 0;
        String what = cuts ? "truncate" : reads ? "read" : "write";
        files.both(
                "asynchronous " + what + at(twin, place, bytes),
                root -> {
                    AsynchronousFileChannel c =
                            (AsynchronousFileChannel) twin.on(files.isOracle(root));
                    if (cuts) {
                        return c.truncate(place).size();
                    }
                    ByteBuffer buffer = ByteBuffer.wrap(reads ? new byte[length] : bytes);
                    int count = reads ? c.read(buffer, place).get() : c.write(buffer, place).get();
                    return List.of(count, buffer.flip(), c.size());
                });
    }

    // ---- by name

    private void fileStep() throws IOException {
        String name = NAMES[random.nextInt(NAMES.length)];
        int length = length();
        byte[] bytes = bytes(length);
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> files.both("size of: " + name, root -> Files.size(root.resolve(name)));
            case 3 -> files.both("read all: " + name, root -> all(root.resolve(name)));
            case 4 ->
                    files.both(
                            "skip: " + name + ", " + length,
                            root -> streamed(root.resolve(name), length));
            case 5 -> stream(name, bytes, CREATE, APPEND);
            case 6 -> stream(name, bytes, CREATE, TRUNCATE_EXISTING, WRITE);
            case 7 -> copy("one.dat", "two.dat");
            case 8 -> copy("two.dat", "three.dat");
            case 9 -> replace(bytes);
            case 10 -> rename();
            case 11 -> again();
            case 12 -> closeAll();
            default -> files.compare(name, random.nextBoolean());
        }
    }

    private static Object all(Path path) throws IOException {
        return ExerciserFiles.value(Files.readAllBytes(path));
    }

    private static Object streamed(Path path, int skipped) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            long gone = in.skip(skipped);
            return List.of(gone, in.read(), ExerciserFiles.value(in.readNBytes(5000)));
        }
    }

    private void stream(String name, byte[] bytes, OpenOption... options) {
        files.both(
                "stream: " + name + ", " + words(options) + ", " + digest(bytes),
                root -> {
                    try (OutputStream out = Files.newOutputStream(root.resolve(name), options)) {
                        out.write(bytes, 0, bytes.length / 2);
                        out.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
                    }
                    return Files.size(root.resolve(name));
                });
    }

    private void copy(String from, String to) {
        files.both(
                "copy: " + from + " " + to,
                root ->
                        Files.size(
                                Files.copy(
                                        root.resolve(from),
                                        root.resolve(to),
                                        StandardCopyOption.REPLACE_EXISTING)));
    }

    /** A new file takes the name; opens of the old file keep the old one. */
    private void replace(byte[] bytes) {
        files.both(
                "replace: one.dat, " + digest(bytes),
                root -> {
                    Path fresh = root.resolve("fresh.dat");
                    try (FileChannel channel = FileChannel.open(fresh, CREATE, WRITE)) {
                        channel.write(ByteBuffer.wrap(bytes));
                        Files.move(fresh, root.resolve("one.dat"), StandardCopyOption.ATOMIC_MOVE);
                        return Files.size(root.resolve("one.dat"));
                    }
                });
    }

    private void rename() {
        files.both(
                "rename: one.dat",
                root -> {
                    Path there = root.resolve("one.dat");
                    Path other = Files.move(there, root.resolve("renamed.other"));
                    long size = Files.size(other);
                    return List.of(size, all(other), Files.size(Files.move(other, there)));
                });
    }

    private void again() {
        files.both("delete: one.dat", root -> Files.deleteIfExists(root.resolve("one.dat")));
        create();
    }

    // ---- several threads

    private int threads() throws Exception {
        // From now on only opens that the gate lets in may ask the kernel.
        closeAll();
        byte[] start = bytes(20_000);
        files.both(
                "threads: one.dat, " + digest(start),
                root -> Files.write(root.resolve("one.dat"), start) != null);
        return ExerciserThreads.run(files, "one.dat", start.length, random);
    }

    @Override
    public void close() throws IOException {
        try {
            closeAll();
            files.close();
        } finally {
            Sharing.end();
        }
    }
}
