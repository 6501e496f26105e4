package io.mio.cli.stats;

import io.mio.cli.term.Terminal;
import io.mio.stats.ByteUnit;
import io.mio.stats.OperationStats;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Makes reports of both forms with known figures, and reads them. */
final class Reports {
    static final Path REAL = Path.of("src/test/resources/io/mio/cli/stats");
    static final Path ORIGINAL = Path.of("src/test/resources/io/mio/cli");

    private Reports() {}

    /** One open of a file that is read and written in requests of one size. */
    record Open(
            String file,
            String event,
            long openedNanos,
            long reads,
            long writes,
            long requestBytes,
            long nanosPerCall) {
        static Open of(String file) {
            return new Open(file, "close", 1_000_000, 10, 5, 4096, 2_000_000);
        }

        Open event(String word) {
            return new Open(file, word, openedNanos, reads, writes, requestBytes, nanosPerCall);
        }

        Open opened(long nanos) {
            return new Open(file, event, nanos, reads, writes, requestBytes, nanosPerCall);
        }

        Open calls(long newReads, long newWrites) {
            return new Open(
                    file, event, openedNanos, newReads, newWrites, requestBytes, nanosPerCall);
        }

        Open request(long bytes) {
            return new Open(file, event, openedNanos, reads, writes, bytes, nanosPerCall);
        }

        long nowNanos() {
            return openedNanos + 2 * (reads + writes) * nanosPerCall;
        }
    }

    static String jsonHeader(long pid, String program) {
        return "{\"type\":\"header\",\"format\":1,\"time\":\"2026-01-01T00:00:00.000Z\",\"pid\":"
                + pid
                + ",\"host\":\"h\",\"program\":\""
                + program
                + "\",\"library\":\"l\",\"engine\":\"sync\"}\n";
    }

    static String json(long pid, Open open) {
        return json(pid, open, "");
    }

    /**
     * @param more members, with a comma in front
     */
    static String json(long pid, Open open, String more) {
        long calls = open.reads() + open.writes();
        return "{\"type\":\"trace\",\"format\":1,\"time\":\"t\",\"pid\":"
                + pid
                + ",\"event\":\""
                + open.event()
                + "\",\"file\":\""
                + open.file()
                + "\",\"above\":\"program\",\"below\":\"os\",\"unit\":\"bytes\",\"opened_ns\":"
                + open.openedNanos()
                + ",\"now_ns\":"
                + open.nowNanos()
                + ",\"total_bytes\":"
                + calls * open.requestBytes()
                + ",\"transfer_ns\":"
                + calls * open.nanosPerCall()
                + ",\"max_size_bytes\":"
                + open.reads() * open.requestBytes()
                + ",\"operations\":{\"open\":{\"count\":1,\"ns\":1000}"
                + operation("read", open.reads(), open)
                + operation("write", open.writes(), open)
                + "},\"size_extensions\":0,\"errors\":{}"
                + more
                + "}\n";
    }

    private static String operation(String name, long calls, Open open) {
        if (calls == 0) {
            return "";
        }
        long bytes = calls * open.requestBytes();
        return ",\""
                + name
                + "\":{\"count\":"
                + calls
                + ",\"ns\":"
                + calls * open.nanosPerCall()
                + ",\"requested_bytes\":"
                + bytes
                + ",\"delivered_bytes\":"
                + bytes
                + ",\"smallest_bytes\":"
                + open.requestBytes()
                + ",\"largest_bytes\":"
                + open.requestBytes()
                + "}";
    }

    static String classicHeader(String program) {
        return "MIO statistics file : Thu May 26 17:32:22 2005\n"
                + "hostname=h  : with sync\nProgram="
                + program
                + "\nMIO library l\nMIO_INSTALL_PATH=\nMIO_STATS       =x\n\n"
                + "=".repeat(76)
                + "\n";
    }

    /** Makes a classic block with MIO's own writer. */
    static String classic(Open open, ByteUnit unit) {
        OperationStats[] operations = new OperationStats[TraceOperation.values().length];
        java.util.Arrays.fill(operations, OperationStats.NONE);
        operations[TraceOperation.OPEN.ordinal()] =
                new OperationStats(1, 1000, 0, 0, 0, 0, 0, 0, 0);
        operations[TraceOperation.READ.ordinal()] = operation(open.reads(), open);
        operations[TraceOperation.WRITE.ordinal()] = operation(open.writes(), open);
        String text =
                new TraceSnapshot(
                                TraceSnapshot.Event.valueOf(
                                        open.event().toUpperCase(java.util.Locale.ROOT)),
                                "program",
                                "os",
                                open.file(),
                                unit,
                                List.of(operations),
                                0,
                                open.reads() * open.requestBytes(),
                                open.reads() * open.requestBytes(),
                                0644,
                                "ext4",
                                4096,
                                0,
                                "RDWR",
                                false,
                                0,
                                0,
                                0,
                                open.openedNanos(),
                                open.nowNanos(),
                                new TraceSnapshot.Distributions(
                                        new long[0],
                                        new long[0],
                                        new long[0],
                                        new long[0],
                                        new long[4],
                                        1,
                                        new long[0],
                                        new long[0],
                                        Map.of()))
                        .classic();
        return "\n" + text + "=".repeat(76) + "\n";
    }

    private static OperationStats operation(long calls, Open open) {
        long bytes = calls * open.requestBytes();
        return calls == 0
                ? OperationStats.NONE
                : new OperationStats(
                        calls,
                        calls * open.nanosPerCall(),
                        bytes,
                        bytes,
                        open.requestBytes(),
                        open.requestBytes(),
                        0,
                        0,
                        0);
    }

    static final StatsOptions OPTIONS =
            new StatsOptions(
                    StatsOptions.By.FILE,
                    StatsOptions.Sort.TIME,
                    false,
                    Integer.MAX_VALUE,
                    List.of(),
                    true,
                    10_000);

    static StatsOptions by(StatsOptions.By by) {
        return new StatsOptions(
                by, OPTIONS.sort(), false, Integer.MAX_VALUE, List.of(), true, OPTIONS.namesMax());
    }

    /** The result of a command. */
    record Result(int status, String out, String err) {}

    static Result show(StatsOptions options, StatsOptions.Format format, String... names) {
        return show(options, format, new byte[0], names);
    }

    static Result show(
            StatsOptions options, StatsOptions.Format format, byte[] stdin, String... names) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
                new StatsReport(
                                options,
                                Terminal.NONE,
                                new ByteArrayInputStream(stdin),
                                new PrintWriter(out),
                                new PrintWriter(err))
                        .show(List.of(names), format);
        return new Result(status, out.toString(), err.toString());
    }

    static RunStats read(StatsOptions options, Path... files) {
        return read(options, new ArrayList<>(), files);
    }

    static RunStats read(StatsOptions options, List<InputReport> reports, Path... files) {
        RunStats stats =
                new RunStats(
                        options.namesMax(), name -> true, options.by() == StatsOptions.By.PROCESS);
        InputReader reader =
                new InputReader(
                        stats,
                        new ByteArrayInputStream(new byte[0]),
                        new io.mio.cli.term.Progress(
                                new PrintWriter(new StringWriter()), Terminal.NONE, "test"));
        for (Path file : files) {
            reader.read(file.toString());
        }
        reports.addAll(reader.reports());
        return stats;
    }

    static RunStats readText(Path dir, String text) throws IOException {
        Path file = dir.resolve("report");
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        return read(OPTIONS, file);
    }

    static Row total(RunStats stats) {
        return Rows.total(stats);
    }

    static List<String> lines(String text) {
        return text.isEmpty() ? Collections.emptyList() : text.lines().toList();
    }
}
