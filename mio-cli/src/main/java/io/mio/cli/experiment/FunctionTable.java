package io.mio.cli.experiment;

import io.mio.cli.bench.DirectOption;
import io.mio.info.Fact;
import io.mio.info.Facts;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A table of what each way of reading and writing offers here, most of it found by trying. */
final class FunctionTable {
    private static final int BLOCK = 4096;
    private static final int FILE_BYTES = 4 << 20;

    /** Number of reads from which on the kernel sees a stream. */
    private static final int READS = 4;

    private static final String YES = "yes";
    private static final String NO = "no";
    private static final String UNKNOWN = "?";

    private FunctionTable() {}

    /** What was found out about one way of I/O. */
    private record Found(String keeps, String ahead, String behind, String locks, String maps) {
        static final Found NOTHING = new Found(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
    }

    /** Opens a file in one of the ways. */
    private interface Opening {
        FileChannel open(Path file) throws IOException;
    }

    /** Adds the table, and one of what the machine has for direct I/O. */
    static void add(Result result, Scope scope) throws IOException, InterruptedException {
        Path file = Scratch.file(scope, scope.dir().resolve("functions.dat"), FILE_BYTES);
        Found buffered = probe(file, path -> FileChannel.open(path, readAndWrite()));
        Found direct = probe(file, FunctionTable::direct);
        Found pf = probeMio(file, "direct");
        Found uncached = probeMio(file, "uncached");
        Long align = (Long) fact(Facts.of(file), "direct_offset_align_bytes");
        String block = align == null ? UNKNOWN : align + " B";
        ResultTable table =
                new ResultTable(
                        "functions",
                        "Functions of the ways here (+: found by trying)",
                        "",
                        "read/write",
                        "mmap",
                        "O_DIRECT",
                        "raw, O_DIRECT",
                        "pf/direct",
                        "pf/uncached");
        row(table, "alignment of requests", NO, "page", block + " +", "sector", NO, NO);
        row(
                table,
                "kept in the page cache",
                buffered.keeps(),
                YES,
                direct.keeps(),
                NO,
                pf.keeps(),
                uncached.keeps());
        row(table, "a cache of its own", NO, NO, NO, NO, YES, YES);
        row(
                table,
                "read ahead by the kernel",
                buffered.ahead(),
                YES,
                direct.ahead(),
                NO,
                pf.ahead(),
                uncached.ahead());
        row(table, "read ahead by MIO", NO, NO, NO, NO, YES, YES);
        row(
                table,
                "write behind in the page cache",
                buffered.behind(),
                YES,
                direct.behind(),
                NO,
                pf.behind(),
                uncached.behind());
        row(table, "write behind in MIO's cache", NO, NO, NO, NO, YES, YES);
        row(table, "copies of a byte", "1", "0", "0", "0", "1", "2");
        row(table, "overlapping requests kept apart", YES, NO, NO, NO, YES, YES);
        row(
                table,
                "locks (fcntl)",
                buffered.locks(),
                NO,
                direct.locks(),
                YES,
                pf.locks(),
                uncached.locks());
        row(
                table,
                "may be mapped, too",
                buffered.maps(),
                YES,
                direct.maps(),
                YES,
                pf.maps(),
                uncached.maps());
        row(table, "asynchronous by io_uring", YES, NO, YES, YES, "MIO itself", "MIO itself");
        result.table(table);
        result.table(offers(file, uncached));
        result.note(
                "Found by trying: the kernel was asked for the file's pages after reads and writes"
                    + " of 4 KB (more pages than were read: read ahead; pages not written yet:"
                    + " write behind), and the channel for a lock and a mapping. The rest is what"
                    + " the manuals and MIO's own say; of a request that is not aligned pf makes"
                    + " aligned ones.");
    }

    private static void row(ResultTable table, String name, String... texts) {
        List<Cell> cells = new ArrayList<>();
        for (String text : texts) {
            cells.add(Cell.text(text));
        }
        table.row(name, cells);
    }

    /** Returns a table of what mio info tells, and of what it does not ask for. */
    private static ResultTable offers(Path file, Found uncached) throws IOException {
        List<Fact> there = Facts.of(file);
        List<Fact> machine = Facts.ofMachine();
        ResultTable table = new ResultTable("offers", "What there is for it here", "", "here");
        offer(table, "direct I/O of this file system (O_DIRECT)", there, "direct_io");
        offer(table, "alignment of memory, bytes (statx)", there, "direct_memory_align_bytes");
        offer(table, "alignment of offsets, bytes (statx)", there, "direct_offset_align_bytes");
        offer(table, "MIO's engine for this file", there, "engine");
        offer(table, "io_uring allowed", machine, "io_uring");
        offer(table, "kernel's read-ahead, bytes", there, "read_ahead_bytes");
        boolean told = fact(there, "resident_bytes") != null;
        table.row("pages in memory are told (cachestat, mincore)", Cell.text(told ? YES : NO));
        boolean dirty = fact(there, "dirty_bytes") != null;
        table.row("pages not written yet are told (cachestat)", Cell.text(dirty ? YES : NO));
        drop(file);
        Long left = (Long) fact(Facts.of(file), "resident_bytes");
        table.row(
                "pages are dropped when asked (posix_fadvise)",
                Cell.text(left == null ? UNKNOWN : tried(left == 0)));
        boolean dropped = uncached.keeps().startsWith(NO);
        table.row(
                "buffered reads leave nothing (RWF_DONTCACHE, pf/uncached)",
                Cell.text(UNKNOWN.equals(uncached.keeps()) ? UNKNOWN : tried(dropped)));
        table.row(
                "large requests go past the cache (VxFS: discovered direct)",
                Cell.text("MIO: pf/discovered_direct=SIZE"));
        table.row(
                "writes share a file (JFS2: concurrent I/O)",
                Cell.text("MIO: mio/cio; O_DIRECT over what is there"));
        return table;
    }

    private static void offer(ResultTable table, String label, List<Fact> facts, String name) {
        Object value = fact(facts, name);
        String text =
                value instanceof Boolean yes
                        ? (yes ? YES : NO)
                        : value == null ? UNKNOWN : value + "";
        table.row(label, Cell.text(text));
    }

    private static Object fact(List<Fact> facts, String name) {
        for (Fact fact : facts) {
            if (fact.name().equals(name)) {
                return fact.value();
            }
        }
        return null;
    }

    private static Set<OpenOption> readAndWrite() {
        return Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static FileChannel direct(Path file) throws IOException {
        return FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, DirectOption.find());
    }

    private static Found probeMio(Path file, String option) throws IOException {
        String rule = "* [ pf/cache=4m/page=64k/nostats/" + option + " ]";
        URI uri = URI.create("mio://functions-" + option + "/");
        String name = "mio://functions-" + option + file.toUri().getRawPath();
        try (FileSystem mio = FileSystems.newFileSystem(uri, Map.of("files", rule))) {
            Path through = mio.provider().getPath(URI.create(name));
            return probe(file, path -> FileChannel.open(through, readAndWrite()));
        }
    }

    /** Tries the functions of one way; all of them are unknown if this way does not exist here. */
    private static Found probe(Path file, Opening opening) throws IOException {
        drop(file);
        try (FileChannel channel = opening.open(file)) {
            ByteBuffer block = ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK);
            for (int i = 0; i < READS; i++) {
                channel.read(block.clear().limit(BLOCK), (long) i * BLOCK);
            }
            Long there = (Long) fact(Facts.of(file), "resident_bytes");
            channel.write(block.clear().limit(BLOCK), 0);
            Long dirty = (Long) fact(Facts.of(file), "dirty_bytes");
            return new Found(
                    there == null ? UNKNOWN : tried(there > 0),
                    there == null ? UNKNOWN : tried(there > (long) READS * BLOCK),
                    dirty == null ? UNKNOWN : tried(dirty > 0),
                    tried(locks(channel)),
                    tried(maps(channel)));
        } catch (IOException | UnsupportedOperationException e) {
            return Found.NOTHING;
        }
    }

    private static String tried(boolean yes) {
        return (yes ? YES : NO) + " +";
    }

    private static boolean locks(FileChannel channel) {
        try (FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static boolean maps(FileChannel channel) {
        try {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, BLOCK).capacity() == BLOCK;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static void drop(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Command.undo("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
    }
}
