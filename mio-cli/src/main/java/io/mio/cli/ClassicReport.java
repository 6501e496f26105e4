package io.mio.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The trace and pf blocks of a report in the original's text form; everything else in the text is
 * passed over. Reads no number the report does not print. Source: reference 4.3 and 4.5, layouts of
 * blocks and rows. For reports that fit into memory; {@link ClassicReader} takes them line by line.
 *
 * @param blocks the trace blocks, in the order of the text
 * @param pfBlocks of files and of caches, in the order of the text
 */
public record ClassicReport(List<Block> blocks, List<PfBlock> pfBlocks) {
    /**
     * One trace block.
     *
     * @param event {@code close}, {@code exit} or {@code inter}
     * @param above neighbour above, {@code program} on top
     * @param below neighbour below
     * @param total data moved, in the unit
     * @param seconds time spent below this trace
     * @param rate total per second
     * @param unit for example {@code kbytes}
     * @param demandRate total per second of the time the file was open
     * @param opened seconds since the library was first used, as printed; empty if the line is
     *     missing
     * @param now the same of the moment of the report
     * @param maxSize largest size of the file, in the unit; -1 if the line is missing
     * @param rows by name; a {@code suspend} row by the name of the row it belongs to, for example
     *     {@code aread suspend}
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

    /**
     * One row: a count, and seconds except in {@code size} and {@code pages} rows, where they are
     * 0.
     */
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
        /** A process begins; its header has not been read yet. */
        default void began() {}

        default void header(Header header) {}

        void block(Block block);

        void pfBlock(PfBlock block);

        default void autoBlock(AutoBlock block) {}

        /**
         * A recov layer tried again, or gave up.
         *
         * @param file as the report gives it; null where the line does not say
         */
        default void recov(String file, boolean failed) {}

        /** Something is not as the original lays it out; reading goes on behind it. */
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
