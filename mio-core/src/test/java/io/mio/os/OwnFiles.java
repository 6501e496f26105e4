package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Opens MIO's own descriptors of a file with a chosen backend, with and without the helper. */
final class OwnFiles {
    /** The ways to do requests; every contract is run over each of them. */
    enum Way {
        URING,
        THREADS,
        SYNC,
        PLATFORM_THREADS,
        PLATFORM_SYNC;

        boolean isNative() {
            return this == URING || this == THREADS || this == SYNC;
        }
    }

    static final Ring.Maker RINGS = Ring.Native::open;

    private OwnFiles() {}

    static boolean isPossible(Way way) {
        if (!way.isNative()) {
            return true;
        }
        if (!NativeHelper.load().isAvailable()) {
            return false;
        }
        if (way != Way.URING) {
            return true;
        }
        try {
            RINGS.open(1).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A file that the program has open, with MIO's own descriptors of it. */
    record Opened(FileChannel channel, OwnFile file, List<String> said) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            file.close();
            channel.close();
        }
    }

    static Opened open(Way way, Path path, Backends.Wish wish, OpenOption... options)
            throws IOException {
        FileChannel channel = FileChannel.open(path, options);
        List<String> said = new ArrayList<>();
        OwnFile.Parts parts = new OwnFile.Parts();
        parts.name = path.toString();
        parts.program = channel;
        parts.debug = said::add;
        parts.kept = kept -> {};
        parts.unpaged = wish.unpaged();
        int oflags = OpenFlags.of(Set.of(options));
        parts.synced = (oflags & OpenFlags.DSYNC) != 0;
        boolean opened =
                way.isNative()
                        ? NativeOpening.open(
                                NativeHelper.load(),
                                NativeOpening.descriptor(channel),
                                oflags,
                                wish,
                                parts)
                        : PlatformOpening.open(channel, path, oflags, wish, "a test", parts);
        if (!opened) {
            channel.close();
            return null;
        }
        parts.backend = backend(way);
        return new Opened(channel, new OwnFile(parts), said);
    }

    private static IoBackend backend(Way way) {
        return switch (way) {
            case URING -> new UringBackend(RINGS, new ThreadsBackend());
            case THREADS, PLATFORM_THREADS -> new ThreadsBackend();
            case SYNC, PLATFORM_SYNC -> new SyncBackend();
        };
    }

    static Opened open(Way way, Path path, boolean direct) throws IOException {
        return open(
                way,
                path,
                new Backends.Wish(direct, false, true),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /** What another process prints that tries to lock a file: {@code locked} or {@code refused}. */
    static String anotherProcessLocks(Path path) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process =
                new ProcessBuilder(
                                java,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.mio.fs.LockHolder",
                                path.toString())
                        .start();
        String answer;
        try (var output = process.inputReader()) {
            answer = output.readLine();
            process.getOutputStream().close();
        }
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return answer;
    }

    static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    /** The number of descriptors that this process has on a file. */
    static long descriptors(Path file) throws IOException {
        Path real = file.toRealPath();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(
                            each -> {
                                try {
                                    return Files.readSymbolicLink(each).equals(real);
                                } catch (IOException e) {
                                    return false;
                                }
                            })
                    .count();
        }
    }
}
