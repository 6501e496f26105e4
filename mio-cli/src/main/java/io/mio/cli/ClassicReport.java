package io.mio.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The trace and pf blocks of a report in the original's text form; everything else in the text is
 * passed over. Reads no number the report does not print. Source: reference 4.3 and 4.5, layouts of
 * blocks and rows.
 *
 * @param blocks the trace blocks, in the order of the text
 * @param pfBlocks of files and of caches, in the order of the text
 */
public record ClassicReport(List<Block> blocks, List<PfBlock> pfBlocks) {
    private static final String BLOCK_LABEL = "Trace ";
    private static final String ARROW = " <-> ";

    /**
     * One trace block.
     *
     * @param above neighbour above, {@code program} on top
     * @param below neighbour below
     * @param total data moved, in the unit
     * @param seconds time spent below this trace
     * @param rate total per second
     * @param unit for example {@code kbytes}
     * @param demandRate total per second of the time the file was open
     * @param rows by name; a {@code suspend} row by the name of the row it belongs to, for example
     *     {@code aread suspend}
     */
    public record Block(
            String above,
            String below,
            String file,
            long total,
            double seconds,
            double rate,
            String unit,
            double demandRate,
            Map<String, Row> rows) {}

    /**
     * One row: a count, and seconds except in {@code size} and {@code pages} rows, where they are
     * 0.
     */
    public record Row(long count, double seconds) {}

    /**
     * Parses a report. A text without blocks gives empty lists.
     *
     * @throws IllegalArgumentException if a block is not as the original lays it out
     */
    public static ClassicReport parse(String text) {
        List<Block> blocks = new ArrayList<>();
        List<PfBlock> pfBlocks = new ArrayList<>();
        Block block = null;
        PfBlock.Parser pf = null;
        String lastRow = "";
        for (String line : text.split("\n")) {
            String[] words = line.trim().split("\\s+");
            if (!line.startsWith(" ") && pf != null) {
                pfBlocks.add(pf.block());
                pf = null;
            }
            if (PfBlock.isTitle(line)) {
                pf = new PfBlock.Parser(line);
                block = null;
            } else if (pf != null) {
                pf.take(line);
            } else if (line.startsWith(BLOCK_LABEL) && line.contains(ARROW)) {
                block = parseTitle(line);
                blocks.add(block);
            } else if (block != null && line.trim().startsWith("demand rate=")) {
                block = withDemandRate(block, line);
                blocks.set(blocks.size() - 1, block);
            } else if (!line.startsWith(" ")) {
                block = null;
            } else if (block != null && words.length >= 2 && isNumber(words[1])) {
                String name = "suspend".equals(words[0]) ? lastRow + " suspend" : words[0];
                lastRow = words[0];
                double seconds =
                        words.length > 2 && isNumber(words[2]) ? Double.parseDouble(words[2]) : 0;
                block.rows().put(name, new Row((long) Double.parseDouble(words[1]), seconds));
            }
        }
        if (pf != null) {
            pfBlocks.add(pf.block());
        }
        return new ClassicReport(List.copyOf(blocks), List.copyOf(pfBlocks));
    }

    /** {@code Trace close : program <-> aix : test.dat : (42000000/1513.95)=27741.92 kbytes/s}. */
    private static Block parseTitle(String line) {
        int arrow = line.indexOf(ARROW);
        int aboveAt = line.indexOf(" : ") + 3;
        int belowAt = arrow + ARROW.length();
        int fileAt = line.indexOf(" : ", belowAt);
        int figuresAt = line.lastIndexOf(" : (");
        if (aboveAt > arrow || fileAt < 0 || figuresAt <= fileAt) {
            throw new IllegalArgumentException("not the title of a trace block: " + line);
        }
        // Between the words: total / seconds ) = rate unit / s
        String[] figures = line.substring(figuresAt + 4).split("[/)= ]+");
        return new Block(
                line.substring(aboveAt, arrow).trim(),
                line.substring(belowAt, fileAt).trim(),
                line.substring(fileAt + 3, figuresAt),
                Long.parseLong(figures[0]),
                Double.parseDouble(figures[1]),
                Double.parseDouble(figures[2]),
                figures[3],
                0,
                new LinkedHashMap<>());
    }

    private static Block withDemandRate(Block block, String line) {
        String rate = line.substring(line.indexOf('=') + 1).split(" ", 2)[0];
        return new Block(
                block.above(),
                block.below(),
                block.file(),
                block.total(),
                block.seconds(),
                block.rate(),
                block.unit(),
                Double.parseDouble(rate),
                block.rows());
    }

    private static boolean isNumber(String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if ((c < '0' || c > '9') && (c != '.' || i == 0)) {
                return false;
            }
        }
        return !word.isEmpty();
    }
}
