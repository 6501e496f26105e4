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

/**
 * Makes files cold or warm before a test, and proves it: cold, none of a file's pages is in the
 * kernel's page cache; warm, all of them are. What cannot be proven is an error, so no figure of a
 * file that was in memory is taken for one of the disk.
 */
final class PageState {
    /** Pages on their way into the cache's lists are not dropped at the first go. */
    private static final int TRIES = 5;

    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    /** Tells how much of a file is in the page cache. */
    interface Residency {
        /** Bytes, in whole pages; null if the system does not tell. */
        Long of(Path file) throws IOException;
    }

    private final boolean warm;
    private final Residency residency;

    PageState(boolean warm, Residency residency) {
        this.warm = warm;
        this.residency = residency;
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
        for (Path file : files) {
            for (int tries = 1; ; tries++) {
                flush(file);
                if (warm) {
                    warm(file, group);
                } else {
                    drop(file);
                }
                if (wrong(file) == null) {
                    break;
                }
                if (tries == TRIES) {
                    throw new StateException(wrong(file));
                }
            }
        }
    }

    /**
     * Looks whether the files are still in the state.
     *
     * @throws StateException if not
     */
    void check(List<Path> files) throws IOException {
        for (Path file : files) {
            String wrong = wrong(file);
            if (wrong != null) {
                throw new StateException(wrong);
            }
        }
    }

    /** True if the system tells which pages are there. */
    boolean isKnown(Path file) throws IOException {
        return residency.of(file) != null;
    }

    /** Null if it is right, or nobody knows. */
    private String wrong(Path file) throws IOException {
        Long there = residency.of(file);
        if (there == null) {
            return null;
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

    private static void drop(Path file) throws IOException, InterruptedException {
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
    private static void warm(Path file, MemoryGroup group)
            throws IOException, InterruptedException {
        List<String> command = List.of("cat", file.toAbsolutePath().toString());
        int status = run(group == null ? command : group.wrap(command));
        if (status != 0) {
            throw new StateException(file + ": could not be read into memory: status " + status);
        }
    }

    private static int run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            return process.waitFor();
        } catch (IOException e) {
            return -1;
        }
    }
}
