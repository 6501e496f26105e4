package io.mio.cli.stats;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A few figures of what reports say about a file that a program used, for other commands. A figure
 * that is not known is {@link #UNKNOWN}.
 *
 * @param path the name as the program gave it
 * @param program the program that used the file
 * @param runNanos how long the processes of the program ran, all together
 * @param nanosOff what the times of reads and of writes can be off by
 * @param patternBytes delivered bytes by {@link io.mio.stats.TraceSnapshot.Pattern}; empty if not
 *     known
 */
public record FileSum(
        String path,
        String program,
        long runNanos,
        long reads,
        long writes,
        long readBytes,
        long writtenBytes,
        long readNanos,
        long writeNanos,
        long nanosOff,
        long sizeBytes,
        List<Long> patternBytes) {
    /** Value of a figure that the reports do not have. */
    public static final long UNKNOWN = Counts.UNKNOWN;

    private static final int NAMES_MAX = 10_000;
    private static final int LINE_MAX = 300;

    private static final Counter[] PATTERNS = {
        Counter.SEQUENTIAL_BYTES,
        Counter.BACKWARD_BYTES,
        Counter.STRIDED_BYTES,
        Counter.RANDOM_BYTES
    };

    /** Returns true if there is a file of this name, and it is a report. */
    public static boolean isReport(String input) {
        return InputReader.looksLikeReport(input);
    }

    /**
     * Reads reports, JSON lines or classic text.
     *
     * @param left gets a line about each report of which something is left out
     * @throws CliException if a report cannot be read, or has no file in it
     */
    public static List<FileSum> of(List<String> inputs, Progress progress, List<String> left) {
        RunStats stats = new RunStats(NAMES_MAX, any -> true, false);
        InputReader reader = new InputReader(stats, InputStream.nullInputStream(), progress);
        inputs.forEach(reader::read);
        for (InputReport input : reader.reports()) {
            if (input.failure() != null) {
                throw new CliException(input.name() + ": " + input.failure());
            }
            if (input.isDamaged()) {
                left.add(SafeText.shorten(input.mistakesInWords(), LINE_MAX));
            }
        }
        List<FileSum> sums = new ArrayList<>();
        for (ProgramFigures program : stats.programs()) {
            for (FileFigures file : program.files()) {
                boolean folded = stats.folded() > 0 && file.name().equals(Names.OTHERS);
                if (!folded) {
                    sums.add(sum(program, file));
                }
            }
        }
        if (stats.folded() > 0) {
            left.add(
                    "files beyond the first "
                            + Amounts.count(NAMES_MAX)
                            + ", or fewer with long names, are left out: "
                            + Amounts.count(stats.folded())
                            + (stats.folded() == 1 ? " block" : " blocks"));
        }
        if (sums.isEmpty()) {
            throw new CliException(
                    String.join(", ", inputs)
                            + ": no file is reported"
                            + (left.isEmpty() ? "" : "; " + left.get(0)));
        }
        return sums;
    }

    private static FileSum sum(ProgramFigures program, FileFigures file) {
        Counts top = file.top();
        List<Long> patterns = Stream.of(PATTERNS).map(top::get).toList();
        return new FileSum(
                file.name(),
                program.name(),
                program.runNanosSum(),
                top.get(Counter.READS),
                top.get(Counter.WRITES),
                top.atLeast(Counter.READ_BYTES),
                top.atLeast(Counter.WRITTEN_BYTES),
                top.get(Counter.READ_NS),
                top.get(Counter.WRITE_NS),
                top.nanosOff(),
                top.getOrZero(Counter.MAX_SIZE_BYTES),
                patterns.contains(UNKNOWN) ? List.of() : patterns);
    }
}
