package io.mio.cli.experiment;

import io.mio.cli.bench.Cleanup;
import io.mio.cli.bench.Delivered;
import io.mio.cli.bench.Sample;
import io.mio.cli.demo.NativeFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Storage on which each read and write takes a fixed time and requests overlap, as on disks of
 * clouds and network file systems: {@code slowfs}, a FUSE file system that shows a directory.
 */
final class SlowStorage implements Delivered {
    private static final String PROGRAM = "slowfs";
    private static final Pattern COUNTS =
            Pattern.compile(
                    "slowfs: reads (\\d+), bytes (\\d+), .*most in flight (\\d+); direct opens");
    private static final int SIGTERM = 15;

    /** Bytes that ext4 needs for itself, beside the files. */
    private static final long DEVICE_OWN_BYTES = 64L << 20;

    private final Path behind;
    private final Path mount;
    private final Process process;
    private final BufferedReader lines;
    private final IdentityHashMap<Sample, Counts> tests = new IdentityHashMap<>();

    private SlowStorage(Path behind, Path mount, Process process) {
        this.behind = behind;
        this.mount = mount;
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * What reached the storage since the last time.
     *
     * @param inFlight the most requests at a time
     */
    record Counts(long reads, long readBytes, long inFlight) {
        /**
         * Reads what slowfs prints.
         *
         * @throws IOException if it is something else
         */
        static Counts of(String line) throws IOException {
            Matcher matcher = COUNTS.matcher(line == null ? "" : line);
            if (!matcher.find()) {
                throw new IOException("slowfs: said " + line);
            }
            return new Counts(
                    Long.parseLong(matcher.group(1)),
                    Long.parseLong(matcher.group(2)),
                    Long.parseLong(matcher.group(3)));
        }
    }

    /**
     * Mounts the storage; it is unmounted at the end.
     *
     * @param microseconds time that each request takes
     * @throws SkippedException if that is not possible here; the message says why
     */
    static SlowStorage mount(Scope scope, int microseconds)
            throws IOException, InterruptedException {
        if (!NativeFiles.isBuilt(PROGRAM)) {
            throw new SkippedException(
                    "this mio was built without slowfs; build it where there is a C compiler");
        }
        Path program = scope.dir().resolve(PROGRAM);
        scope.begin(
                () -> {
                    NativeFiles.unpack(program, "latency");
                    return null;
                },
                () -> Files.deleteIfExists(program));
        Path behind = Scratch.directory(scope, scope.dir().resolve("behind"));
        Path mount = Scratch.directory(scope, scope.dir().resolve("mount"));
        Process[] started = new Process[1];
        Cleanup.Action ending = () -> end(started[0]);
        scope.begin(
                () ->
                        started[0] =
                                new ProcessBuilder(
                                                program.toString(),
                                                "-l",
                                                Integer.toString(microseconds),
                                                behind.toString(),
                                                mount.toString())
                                        .start(),
                ending);
        SlowStorage storage = new SlowStorage(behind, mount, started[0]);
        if (storage.lines.readLine() == null) {
            byte[] why = started[0].getErrorStream().readAllBytes();
            throw new SkippedException(new String(why, StandardCharsets.UTF_8).strip());
        }
        return storage;
    }

    /** Ends slowfs, which unmounts at SIGTERM and then ends. */
    private static void end(Process process) throws IOException {
        if (process == null) {
            return;
        }
        process.destroy();
        try {
            int status = process.waitFor();
            if (status != 0 && status != 1 && status != 128 + SIGTERM) {
                throw new IOException("slowfs ended with status " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("slowfs was not waited for", e);
        }
    }

    /** Returns a directory on the storage, like one of a network file system. */
    Path directory() {
        return mount;
    }

    /**
     * Makes ext4 on a loop device whose image is on the storage, as a cloud's disk is a block
     * device.
     *
     * @param bytes bytes of files that have to fit
     * @param readAheadKb the kernel's readahead on it
     * @return the directory where it is mounted
     * @throws SkippedException if that is not possible here
     */
    Path device(Scope scope, long bytes, int readAheadKb) throws IOException, InterruptedException {
        Path image = behind.resolve("image");
        Scratch.zeros(scope, image, bytes + bytes / 8 + DEVICE_OWN_BYTES);
        try {
            Command.run(
                    "mkfs.ext4",
                    "-q",
                    "-F",
                    "-m",
                    "0",
                    "-E",
                    "lazy_itable_init=0,lazy_journal_init=0",
                    image.toString());
        } catch (IOException e) {
            throw new SkippedException("no block device: " + e.getMessage());
        }
        LoopDevice loop = LoopDevice.over(scope, mount.resolve("image"));
        Path disk = Scratch.directory(scope, scope.dir().resolve("disk"));
        try {
            scope.begin(
                    () -> Command.run("mount", loop.device().toString(), disk.toString()),
                    () -> Command.undo("umount", disk.toString()));
        } catch (IOException e) {
            throw new SkippedException("no block device: " + e.getMessage());
        }
        Path setting =
                Path.of(
                        "/sys/block",
                        loop.device().getFileName().toString(),
                        "queue",
                        "read_ahead_kb");
        Files.writeString(setting, Integer.toString(readAheadKb));
        return disk;
    }

    /** Returns what reached the storage during a test whose counter this was. */
    Counts during(Sample test) {
        return tests.get(test);
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        counts();
    }

    @Override
    public long bytes(Sample sample) throws IOException, InterruptedException {
        Counts came = counts();
        tests.put(sample, came);
        return came.readBytes();
    }

    /** Returns what has reached the storage since the last call. */
    private Counts counts() throws IOException, InterruptedException {
        Command.run("kill", "-USR1", Long.toString(process.pid()));
        return Counts.of(lines.readLine());
    }
}
