package io.mio.cli.stats;

import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * What reports say of a file that a program used, in a few figures, for other commands. What is not
 * known is 0.
 *
 * @param path as the program gave it
 * @param program that used it
 * @param runNanos how long the processes of the program ran, all together
 * @param patternBytes delivered, by {@link io.mio.stats.TraceSnapshot.Pattern}
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
        long sizeBytes,
        List<Long> patternBytes) {
    private static final int NAMES_MAX = 10_000;

    /** True if there is a file of this name, and it is a report. */
    public static boolean isReport(String input) {
        return InputReader.looksLikeReport(input);
    }

    /**
     * Reads reports, JSON lines or classic text.
     *
     * @throws CliException if one cannot be read, or has no file in it
     */
    public static List<FileSum> of(List<String> inputs, Progress progress) {
        RunStats stats = new RunStats(NAMES_MAX, any -> true, false);
        InputReader reader = new InputReader(stats, InputStream.nullInputStream(), progress);
        inputs.forEach(reader::read);
        for (InputReport input : reader.reports()) {
            if (input.failure() != null) {
                throw new CliException(input.name() + ": " + input.failure());
            }
        }
        List<FileSum> sums = new ArrayList<>();
        for (ProgramFigures program : stats.programs()) {
            for (FileFigures file : program.files()) {
                sums.add(sum(program, file));
            }
        }
        if (sums.isEmpty()) {
            throw new CliException(String.join(", ", inputs) + ": no file is reported");
        }
        return sums;
    }

    private static FileSum sum(ProgramFigures program, FileFigures file) {
        Counts top = file.top();
        return new FileSum(
                file.name(),
                program.name(),
                Math.max(0, program.runNanosSum()),
                top.getOrZero(Counter.READS),
                top.getOrZero(Counter.WRITES),
                top.getOrZero(Counter.READ_BYTES),
                top.getOrZero(Counter.WRITTEN_BYTES),
                top.getOrZero(Counter.READ_NS),
                top.getOrZero(Counter.WRITE_NS),
                top.getOrZero(Counter.MAX_SIZE_BYTES),
                List.of(
                        top.getOrZero(Counter.SEQUENTIAL_BYTES),
                        top.getOrZero(Counter.BACKWARD_BYTES),
                        top.getOrZero(Counter.STRIDED_BYTES),
                        top.getOrZero(Counter.RANDOM_BYTES)));
    }
}
