package io.mio.cli.bench;

import io.mio.cli.demo.MemoryGroup;
import io.mio.info.Fact;
import io.mio.info.Facts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes files cold or warm before a test, and proves it: cold, none of a file's pages is in the
 * kernel's page cache; warm, all of them are. What cannot be proven is an error, so no figure of a
 * file that was in memory is taken for one of the disk.
 */
final class PageState {
    /** Pages on their way into the cache's lists are not dropped at the first go. */
    private static final int TRIES = 5;

    /** A large file behind a slow network has this time to be read. */
    private static final long LIMIT_MINUTES = 120;

    /** What is mapped at a time. */
    private static final long MAP_BYTES = 1 << 30;

    private static final long END_SECONDS = 10;

    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    /** Tells how much of a file is in the page cache. */
    interface Residency {
        /** Bytes, in whole pages; null if the system does not tell. */
        Long of(Path file) throws IOException;
    }

    private final boolean warm;
    private final Residency residency;
    private final Cleanup cleanup;

    PageState(boolean warm, Residency residency) {
        this(warm, residency, new Cleanup());
    }

    /**
     * @param cleanup ends programs that are waited for
     */
    PageState(boolean warm, Residency residency, Cleanup cleanup) {
        this.warm = warm;
        this.residency = residency;
        this.cleanup = cleanup;
    }

    /** By cachestat or mincore. */
    static Long residentBytes(Path file) throws IOException {
        for (Fact fact : Facts.of(file)) {
            if (fact.group() == Fact.Group.FILE && "resident_bytes".equals(fact.name())) {
                return (Long) fact.value();
            }
        }
        return null;
    }

    /** How it is proven, in words. */
    static String proof(Path file) throws IOException {
        return residentBytes(file) != null
                ? "by asking the kernel for its pages"
                : "by the device's counters alone";
    }

    /**
     * Brings the files into the state. What is dirty is written first, in both.
     *
     * @param group the workers', whose page cache it is to be; null without
     * @throws StateException if it cannot be reached
     */
    void reach(List<Path> files, MemoryGroup group) throws IOException, InterruptedException {
        reach(files, Long.MAX_VALUE, group);
    }

    /**
     * The same, of files of which only the beginning has to be warm.
     *
     * @param bytes of each file that are measured
     */
    void reach(List<Path> files, long bytes, MemoryGroup group)
            throws IOException, InterruptedException {
        for (Path file : files) {
            for (int tries = 1; ; tries++) {
                flush(file);
                if (warm) {
                    warm(file, bytes, group);
                } else {
                    drop(file);
                }
                String wrong = wrong(file, bytes);
                if (wrong == null) {
                    break;
                }
                if (tries == TRIES) {
                    throw new StateException(wrong);
                }
            }
        }
    }

    /**
     * Looks whether the files are still in the state, and brings them back where that can be done:
     * another program, or the kernel, may have taken a page away or brought one.
     *
     * @throws StateException if they cannot be brought back
     */
    void keep(List<Path> files, MemoryGroup group) throws IOException, InterruptedException {
        keep(files, Long.MAX_VALUE, group);
    }

    /** The same, of the beginnings of files. */
    void keep(List<Path> files, long bytes, MemoryGroup group)
            throws IOException, InterruptedException {
        for (Path file : files) {
            if (wrong(file, bytes) != null) {
                reach(List.of(file), bytes, group);
            }
        }
    }

    /**
     * Looks whether the files are still in the state.
     *
     * @throws StateException if not
     */
    void check(List<Path> files) throws IOException {
        check(files, Long.MAX_VALUE);
    }

    /** The same, of the beginnings of files. */
    void check(List<Path> files, long bytes) throws IOException {
        for (Path file : files) {
            String wrong = wrong(file, bytes);
            if (wrong != null) {
                throw new StateException(wrong);
            }
        }
    }

    /** Null if it is right, or cold and nobody knows. */
    private String wrong(Path file, long bytes) throws IOException {
        if (isPart(file, bytes)) {
            return isLoaded(file, bytes)
                    ? null
                    : file
                            + ": not warm: of the first "
                            + Sizes.text(bytes)
                            + " not all are in memory; take a smaller -s, a larger --memory, or"
                            + " --cold";
        }
        Long there = residency.of(file);
        if (there == null) {
            // Of a cold file the device's counters tell; of a warm one nothing does.
            return warm
                    ? file
                            + ": not warm, as far as is known: the kernel does not tell; see mio"
                            + " info"
                    : null;
        }
        if (!warm) {
            return there == 0
                    ? null
                    : file
                            + ": not cold: "
                            + Sizes.text(there)
                            + " are in memory and stay there; is another program reading or mapping"
                            + " it? Or take --warm";
        }
        long size = size(file);
        return there >= size
                ? null
                : file
                        + ": not warm: "
                        + Sizes.text(there)
                        + " of "
                        + Sizes.text(size)
                        + " are in memory; take a smaller -s, a larger --memory, or --cold";
    }

    /**
     * Whether only the beginning is warmed up. Not of a file that may not be written: of its pages
     * the kernel says that they are there, whatever is true, to those who ask for some of them.
     */
    private boolean isPart(Path file, long bytes) throws IOException {
        return warm && bytes < size(file) && Files.isWritable(file);
    }

    /** By mincore. */
    private static boolean isLoaded(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long at = 0; at < bytes; at += MAP_BYTES) {
                long part = Math.min(MAP_BYTES, bytes - at);
                if (!channel.map(FileChannel.MapMode.READ_ONLY, at, part).isLoaded()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Also of a block device, in bytes. */
    static long size(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.size();
        }
    }

    /** Also of a file that may only be read. */
    private static void flush(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private void drop(Path file) throws IOException, InterruptedException {
        if (run(List.of("dd", "if=" + file, "iflag=nocache", "count=0")) == 0) {
            return;
        }
        if (!Files.isWritable(DROP_CACHES)) {
            throw new StateException(
                    file
                            + ": its pages cannot be dropped: no dd that knows nocache, and not"
                            + " root; take --warm");
        }
        Files.writeString(DROP_CACHES, "1", StandardOpenOption.WRITE);
    }

    /** By a process of the group, because pages count for the group that brought them in. */
    private void warm(Path file, long bytes, MemoryGroup group)
            throws IOException, InterruptedException {
        String name = file.toAbsolutePath().toString();
        List<String> command =
                isPart(file, bytes)
                        ? List.of("head", "-c", Long.toString(bytes), name)
                        : List.of("cat", name);
        int status = run(group == null ? command : group.wrap(command));
        if (status != 0) {
            throw new StateException(file + ": could not be read into memory: status " + status);
        }
    }

    /** Status; -1 if it cannot be started. */
    int run(List<String> command) throws IOException, InterruptedException {
        int status = start(command);
        if (cleanup.isDone()) {
            // By the command's end: its status says nothing of the file.
            throw new IOException("stopped");
        }
        return status;
    }

    private int start(List<String> command) throws IOException, InterruptedException {
        Process[] started = new Process[1];
        Cleanup.Action ending = () -> end(started[0]);
        try {
            Process process =
                    cleanup.begin(
                            () -> {
                                started[0] =
                                        new ProcessBuilder(command)
                                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                                .start();
                                return started[0];
                            },
                            ending);
            process.getOutputStream().close();
            if (process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                return process.exitValue();
            }
            throw new StateException(
                    String.join(" ", command) + ": takes more than " + LIMIT_MINUTES + " minutes");
        } catch (StateException e) {
            throw e;
        } catch (IOException e) {
            return -1;
        } finally {
            cleanup.end(ending);
        }
    }

    /** Whatever it does: a group it is in can be removed only without it. */
    private static void end(Process process) {
        if (process != null && process.isAlive()) {
            process.destroyForcibly()
                    .onExit()
                    .completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }
}
