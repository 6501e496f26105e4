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
 * Makes files cold or warm before a test, and proves it. Cold means that none of a file's pages is
 * in the kernel's page cache, warm that all of them are. What cannot be proven is an error, so that
 * a figure of a file in memory is never taken for one of the disk.
 */
final class PageState {
    /** Most tries: pages on their way into the cache's lists are not dropped by the first one. */
    private static final int TRIES = 5;

    /** Most minutes of a command: a large file behind a slow network may take long to read. */
    private static final long LIMIT_MINUTES = 120;

    /** Bytes that are mapped at a time. */
    private static final long MAP_BYTES = 1 << 30;

    private static final long END_SECONDS = 10;

    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    /** Tells how much of a file is in the page cache. */
    interface Residency {
        /** Returns bytes, in whole pages; null if the system does not tell. */
        Long of(Path file) throws IOException;
    }

    private final boolean warm;
    private final Residency residency;
    private final Cleanup cleanup;

    PageState(boolean warm, Residency residency) {
        this(warm, residency, new Cleanup());
    }

    /**
     * Makes a state.
     *
     * @param cleanup ends programs that are waited for
     */
    PageState(boolean warm, Residency residency, Cleanup cleanup) {
        this.warm = warm;
        this.residency = residency;
        this.cleanup = cleanup;
    }

    /** Asks the kernel by cachestat or mincore. */
    static Long residentBytes(Path file) throws IOException {
        for (Fact fact : Facts.of(file)) {
            if (fact.group() == Fact.Group.FILE && "resident_bytes".equals(fact.name())) {
                return (Long) fact.value();
            }
        }
        return null;
    }

    /** Returns how the state is proven, in words. */
    static String proof(Path file) throws IOException {
        return residentBytes(file) != null
                ? "by asking the kernel for its pages"
                : "by the device's counters alone";
    }

    /**
     * Brings the files into the state. Both for cold and for warm, dirty pages are written first.
     *
     * @param group group of the workers, whose page cache it is to be; null without one
     * @throws StateException if the state cannot be reached
     */
    void reach(List<Path> files, MemoryGroup group) throws IOException, InterruptedException {
        reach(files, Long.MAX_VALUE, group);
    }

    /**
     * Brings files into the state of which only the beginning has to be warm.
     *
     * @param bytes bytes of each file that are measured
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
     * Checks that the files are still in the state, and brings them back where that is possible:
     * another program, or the kernel, may have removed or added a page.
     *
     * @throws StateException if they cannot be brought back
     */
    void keep(List<Path> files, MemoryGroup group) throws IOException, InterruptedException {
        keep(files, Long.MAX_VALUE, group);
    }

    /** Does the same as {@link #keep(List, MemoryGroup)} for the beginnings of files. */
    void keep(List<Path> files, long bytes, MemoryGroup group)
            throws IOException, InterruptedException {
        for (Path file : files) {
            if (wrong(file, bytes) != null) {
                reach(List.of(file), bytes, group);
            }
        }
    }

    /**
     * Checks that the files are still in the state.
     *
     * @throws StateException if not
     */
    void check(List<Path> files) throws IOException {
        check(files, Long.MAX_VALUE);
    }

    /** Does the same as {@link #check(List)} for the beginnings of files. */
    void check(List<Path> files, long bytes) throws IOException {
        for (Path file : files) {
            String wrong = wrong(file, bytes);
            if (wrong != null) {
                throw new StateException(wrong);
            }
        }
    }

    /**
     * Returns what is wrong; null if the state is right, or is to be cold and the kernel does not
     * tell.
     */
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
            // For a cold file the device's counters tell; for a warm one nothing does.
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
     * Returns whether only the beginning is warmed up. This is never so for a file that this
     * process may not write: asked for some pages of such a file, the kernel always says that they
     * are in memory.
     */
    private boolean isPart(Path file, long bytes) throws IOException {
        return warm && bytes < size(file) && Files.isWritable(file);
    }

    /** Asks by mincore. */
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

    /** Returns the size in bytes, also of a block device. */
    static long size(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.size();
        }
    }

    /** Flushes a file, also one that may only be read. */
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

    /**
     * Reads the file in a process of the group, as pages count for the group that brought them in.
     */
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

    /** Returns the status; -1 if the command cannot be started. */
    int run(List<String> command) throws IOException, InterruptedException {
        int status = start(command);
        if (cleanup.isDone()) {
            // The cleanup may have ended the command, so that its status says nothing about the
            // file.
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

    /** Ends the process, whatever it does, as its group can be removed only without it. */
    private static void end(Process process) {
        if (process != null && process.isAlive()) {
            process.destroyForcibly()
                    .onExit()
                    .completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }
}
