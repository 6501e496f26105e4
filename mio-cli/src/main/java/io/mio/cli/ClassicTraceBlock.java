package io.mio.cli;

import io.mio.cli.ClassicReport.Block;
import io.mio.cli.ClassicReport.Row;
import io.mio.cli.ClassicReport.Transfer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A trace block while its lines are read. */
final class ClassicTraceBlock {
    static final String LABEL = "Trace ";
    static final String ARROW = " <-> ";

    private static final String ILL_FORMED = "ill form";
    private static final String MISALIGNED = "mem misaligned";
    private static final String SEEK_DELTA = "average seek delta=";
    private static final String MAX_SIZE = "max_size=";
    private static final String SUSPEND = "suspend";

    /** Names of the rows that have columns of data. */
    private static final Set<String> TRANSFERS = Set.of("write", "awrite", "read", "aread");

    private final String title;
    private final String event;
    private final String above;
    private final String below;
    private final String file;
    private final long total;
    private final double seconds;
    private final double rate;
    private final String unit;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, Transfer> transfers = new LinkedHashMap<>();
    private double demandRate;
    private String opened = "";
    private String now = "";
    private long maxSize = -1;
    private long averageSeekDelta;
    private long illFormed = -1;
    private long misaligned = -1;
    private String lastRow = "";
    private String mistake;

    /**
     * Takes the title, for example {@code Trace close : program <-> aix : test.dat :
     * (42000000/1513.95)=27741.92 kbytes/s}.
     *
     * @throws IllegalArgumentException if the line is not such a title
     */
    ClassicTraceBlock(String line) {
        title = line;
        int arrow = line.indexOf(ARROW);
        int aboveAt = line.indexOf(" : ") + 3;
        int belowAt = arrow + ARROW.length();
        int fileAt = line.indexOf(" : ", belowAt);
        int figuresAt = line.lastIndexOf(" : (");
        if (aboveAt < 3 || aboveAt > arrow || fileAt < 0 || figuresAt < fileAt + 3) {
            throw new IllegalArgumentException("not the title of a trace block: " + line);
        }
        event = line.substring(LABEL.length(), Math.max(LABEL.length(), aboveAt - 3)).trim();
        above = line.substring(aboveAt, arrow).trim();
        below = line.substring(belowAt, fileAt).trim();
        file = line.substring(fileAt + 3, figuresAt);
        // The words are: total / seconds ) = rate unit / s
        String[] figures = line.substring(figuresAt + 4).split("[/)= ]+");
        if (figures.length < 4) {
            throw new IllegalArgumentException("not the title of a trace block: " + line);
        }
        total = whole(figures[0]);
        seconds = decimal(figures[1]);
        rate = decimal(figures[2]);
        unit = figures[3];
    }

    /** Takes one of the indented lines. Unknown lines are skipped. */
    void take(String line) {
        try {
            if (line.startsWith("  " + ILL_FORMED)) {
                illFormed(line);
                return;
            }
            String[] words = line.trim().split(" +");
            if (words[0].equals("demand")) {
                demand(line);
            } else if (words[0].equals("current") && line.contains(MAX_SIZE)) {
                maxSize = whole(after(line, MAX_SIZE));
            } else if (words.length >= 2 && words[0].indexOf('=') < 0) {
                row(line, words);
            }
        } catch (IllegalArgumentException e) {
            // The block is refused as a whole: a sum of its other figures would be wrong.
            mistake = e.getMessage() + " in '" + line.trim() + "'";
        }
    }

    private void illFormed(String line) {
        int at = line.indexOf(MISALIGNED);
        if (at < 0) {
            throw new IllegalArgumentException("no '" + MISALIGNED + "'");
        }
        illFormed = whole(line.substring(2 + ILL_FORMED.length(), at).trim());
        misaligned = whole(line.substring(at + MISALIGNED.length()).trim());
    }

    /** Takes the line {@code demand rate=R UNIT/s=TOTAL/(NOW-OPENED))}. */
    private void demand(String line) {
        demandRate = decimal(after(line, "rate=").split(" ", 2)[0]);
        int open = line.lastIndexOf('(');
        int minus = line.indexOf('-', open);
        int close = line.indexOf(')', open);
        if (open >= 0 && minus > open && close > minus) {
            now = line.substring(open + 1, minus);
            opened = line.substring(minus + 1, close);
            decimal(now);
            decimal(opened);
        }
    }

    private void row(String line, String[] words) {
        boolean known = TRANSFERS.contains(words[0]) || words[0].equals("seek");
        if (!known && !isNumber(words[1])) {
            return;
        }
        String name = words[0].equals(SUSPEND) ? lastRow + " " + SUSPEND : words[0];
        lastRow = words[0];
        double time = words.length > 2 && isNumber(words[2]) ? decimal(words[2]) : 0;
        rows.put(name, new Row(whole(words[1]), time));
        if (TRANSFERS.contains(name)) {
            if (words.length < 7) {
                throw new IllegalArgumentException("fewer columns than a row of data has");
            }
            transfers.put(
                    name,
                    new Transfer(
                            whole(words[3]), whole(words[4]), whole(words[5]), whole(words[6])));
        } else if (name.equals("seek") && line.contains(SEEK_DELTA)) {
            averageSeekDelta = Long.parseLong(after(line, SEEK_DELTA).trim());
        }
    }

    /**
     * Returns the block.
     *
     * @throws IllegalArgumentException if one of its lines has a figure that is not a number
     */
    Block block() {
        if (mistake != null) {
            throw new IllegalArgumentException(mistake + " of '" + title + "'");
        }
        return new Block(
                event,
                above,
                below,
                file,
                total,
                seconds,
                rate,
                unit,
                demandRate,
                opened,
                now,
                maxSize,
                rows,
                transfers,
                averageSeekDelta,
                illFormed,
                misaligned);
    }

    private static String after(String line, String label) {
        return line.substring(line.indexOf(label) + label.length());
    }

    private static long whole(String word) {
        if (!isNumber(word)) {
            throw new IllegalArgumentException("'" + word + "' is no count");
        }
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + word + "' is no count or too large", e);
        }
    }

    private static double decimal(String word) {
        if (!isNumber(word) || word.indexOf('.') != word.lastIndexOf('.')) {
            throw new IllegalArgumentException("'" + word + "' is no number");
        }
        return Double.parseDouble(word);
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
