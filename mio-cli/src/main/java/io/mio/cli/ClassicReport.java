package io.mio.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The trace and pf blocks of a report in the original's text form; all other text is skipped. Holds
 * no number that the report does not print. Source: reference 4.3 and 4.5, layouts of blocks and
 * rows. This is for reports that fit into memory; {@link ClassicReader} takes reports line by line.
 *
 * @param blocks the trace blocks, in the order of the text
 * @param pfBlocks the pf blocks of files and of caches, in the order of the text
 */
public record ClassicReport(List<Block> blocks, List<PfBlock> pfBlocks) {
    /**
     * One trace block.
     *
     * @param event {@code close}, {@code exit} or {@code inter}
     * @param above neighbour above; {@code program} for the topmost layer
     * @param below neighbour below
     * @param total data moved, in the unit
     * @param seconds time spent below this trace
     * @param rate total per second
     * @param unit for example {@code kbytes}
     * @param demandRate total per second of the time the file was open
     * @param opened seconds from the first use of the library to the open, as printed; empty if the
     *     line is missing
     * @param now seconds from the first use of the library to the report, as printed; empty
     *     likewise
     * @param maxSize largest size of the file, in the unit; -1 if the line is missing
     * @param rows the rows by name; a {@code suspend} row has the name of the row it belongs to in
     *     front, for example {@code aread suspend}
     * @param transfers the further columns of the rows that move data, by name
     * @param averageSeekDelta bytes; 0 without seeks
     * @param illFormed requests; -1 where the file was not opened for direct I/O
     * @param misaligned requests; -1 likewise
     */
    public record Block(
            String event,
            String above,
            String below,
            String file,
            long total,
            double seconds,
            double rate,
            String unit,
            double demandRate,
            String opened,
            String now,
            long maxSize,
            Map<String, Row> rows,
            Map<String, Transfer> transfers,
            long averageSeekDelta,
            long illFormed,
            long misaligned) {}

    /** One row: a count and seconds. In {@code size} and {@code pages} rows the seconds are 0. */
    public record Row(long count, double seconds) {}

    /**
     * The columns of a row that moves data.
     *
     * @param requested in the unit, truncated
     * @param delivered in the unit, truncated
     * @param smallestBytes smallest request
     * @param largestBytes largest request
     */
    public record Transfer(long requested, long delivered, long smallestBytes, long largestBytes) {}

    /**
     * The configuration part at the beginning of a report.
     *
     * @param values by the name before the equals sign, for example {@code Program}
     */
    public record Header(Map<String, String> values) {}

    /** Takes what a {@link ClassicReader} finds, in the order of the text. */
    public interface Sink {
        /** Begins a process, whose header has not been read yet. */
        default void began() {}

        default void header(Header header) {}

        void block(Block block);

        void pfBlock(PfBlock block);

        default void autoBlock(AutoBlock block) {}

        /**
         * Takes the line of a recov layer that tried again, or gave up.
         *
         * @param file the name as the report gives it; null where the line does not say
         */
        default void recov(String file, boolean failed) {}

        /** Reports text that is not laid out as the original does it; reading goes on behind it. */
        void mistake(String what);
    }

    /**
     * Parses a report. A text without blocks gives empty lists.
     *
     * @throws IllegalArgumentException if a block is not as the original lays it out
     */
    public static ClassicReport parse(String text) {
        List<Block> blocks = new ArrayList<>();
        List<PfBlock> pfBlocks = new ArrayList<>();
        ClassicReader reader =
                new ClassicReader(
                        new Sink() {
                            @Override
                            public void block(Block block) {
                                blocks.add(block);
                            }

                            @Override
                            public void pfBlock(PfBlock block) {
                                pfBlocks.add(block);
                            }

                            @Override
                            public void mistake(String what) {
                                throw new IllegalArgumentException(what);
                            }
                        });
        text.lines().forEach(reader::line);
        reader.end();
        return new ClassicReport(List.copyOf(blocks), List.copyOf(pfBlocks));
    }
}
