package io.mio.cli.plot.term;

import io.mio.cli.plot.Mark;
import io.mio.cli.plot.PlotWriter;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Series;
import io.mio.cli.plot.Shape;
import io.mio.cli.plot.Stage;
import io.mio.cli.plot.Touched;
import io.mio.cli.plot.draw.DrawnRun;
import io.mio.cli.plot.draw.PictureOptions;
import io.mio.cli.plot.draw.RunFacts;
import io.mio.cli.plot.draw.Ticks;
import io.mio.cli.plot.draw.Ticks.Tick;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws runs in a terminal, one below the other on the same scales: file activity of the program,
 * bandwidth, and facts in words.
 */
public final class TermWriter implements PlotWriter {
    /** Columns left of what is drawn, if labels need no more. */
    private static final int LEFT = 10;

    private static final int COLUMNS_MIN = 40;
    private static final int COLUMNS_MAX = 1000;
    private static final int COLUMNS_USUAL = 100;
    private static final int LINES_USUAL = 24;
    private static final int ROWS_MIN = 4;
    private static final int ROWS_MAX = 500;
    private static final String BLOCKS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final String LETTERS = " .:-=+*%#";

    private final PictureOptions options;
    private final Terminal terminal;
    private final int columns;

    /**
     * Makes a writer for a terminal.
     *
     * @throws CliException if the width that is wanted makes no sense
     */
    public TermWriter(PictureOptions options, Terminal terminal) {
        this.options = options;
        this.terminal = terminal;
        int usual = terminal.outIsTerminal() ? terminal.columns() : COLUMNS_USUAL;
        this.columns = options.widthOr(Math.min(COLUMNS_MAX, usual));
        if (columns < COLUMNS_MIN || columns > COLUMNS_MAX) {
            throw new CliException(
                    2, "--width: " + COLUMNS_MIN + " to " + COLUMNS_MAX + " columns");
        }
    }

    @Override
    public void write(List<RunPlot> runs, OutputStream out) throws IOException {
        double span = runs.stream().mapToDouble(DrawnRun::span).max().orElse(1);
        Touched touched = new Touched();
        runs.forEach(run -> DrawnRun.addOffsets(run, touched));
        double lowest = (double) DrawnRun.axisBegin(touched);
        double bytes = Math.max(0, touched.end() - lowest);
        int left = left(lowest, bytes);
        int width = columns - left - 1;
        List<DrawnRun> drawn = new ArrayList<>();
        for (RunPlot run : runs) {
            drawn.add(DrawnRun.of(run, drawn.size(), span / width / 4, bytes / 200));
        }
        double fastest = 0;
        for (DrawnRun run : drawn) {
            for (boolean read : new boolean[] {true, false}) {
                double[] sums = sums(run, span, width, read);
                fastest = Math.max(fastest, Arrays.stream(sums).max().orElse(0));
            }
        }
        StringBuilder text = new StringBuilder();
        if (options.title() != null) {
            String title = SafeText.shorten(SafeText.of(options.title()), columns);
            text.append(terminal.styled(Style.HEADING, title)).append("\n\n");
        }
        for (DrawnRun run : drawn) {
            text.append(run.index() == 0 ? "" : "\n");
            new OneRun(run, span, lowest, bytes, fastest, left, width, runs.size() == 1)
                    .lines().stream()
                            .map(line -> line.stripTrailing() + "\n")
                            .forEach(text::append);
        }
        String all = text.toString();
        out.write(
                all.getBytes(terminal.utf8() ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII));
    }

    /** Returns the columns that labels of offsets need, however many lines there are. */
    private int left(double lowest, double bytes) {
        int left = LEFT;
        for (int rows = ROWS_MIN; rows <= options.heightOr(LINES_USUAL); rows++) {
            for (Tick tick : Ticks.bytes(lowest, lowest + bytes, ticksOf(rows), "")) {
                left = Math.max(left, tick.label().length() + 1);
            }
        }
        return Math.min(left, columns / 2);
    }

    private static int ticksOf(int rows) {
        return Math.max(2, rows / 3);
    }

    /** Returns the uppermost stage that moved bytes. */
    private static Stage stage(RunPlot run) {
        for (Stage stage : List.of(Stage.PROGRAM, Stage.BETWEEN)) {
            for (Series series : run.series()) {
                if (series.stage() == stage && series.what().isTransfer()) {
                    return stage;
                }
            }
        }
        return Stage.SYSTEM;
    }

    private static double[] sums(DrawnRun run, double span, int bins, boolean read) {
        Stage stage = stage(run.run());
        return run.sums(
                span,
                bins,
                series ->
                        series.stage() == stage
                                && (read ? series.what().isRead() : series.what().isWrite()),
                Mark::bytes);
    }

    /** The lines of one run. */
    private final class OneRun {
        private final DrawnRun run;
        private final double span;
        private final double lowest;
        private final double bytes;
        private final double fastest;
        private final int left;
        private final int width;
        private final boolean alone;
        private final Stage stage;

        OneRun(
                DrawnRun run,
                double span,
                double lowest,
                double bytes,
                double fastest,
                int left,
                int width,
                boolean alone) {
            this.run = run;
            this.span = span;
            this.lowest = lowest;
            this.bytes = Math.max(1, bytes);
            this.fastest = fastest;
            this.left = left;
            this.width = width;
            this.alone = alone;
            this.stage = stage(run.run());
        }

        List<String> lines() {
            List<String> lines = new ArrayList<>();
            String label = SafeText.shorten(RunFacts.label(run.run()), columns);
            lines.add(terminal.styled(Style.HEADING, label));
            lines.add(RunFacts.origin(run.run()));
            List<String> words = new ArrayList<>();
            words.add(RunFacts.files(run.run()));
            words.addAll(RunFacts.totals(run.run()));
            if (!alone) {
                words.add("times are since its first event; " + RunFacts.begin(run.run()));
            }
            run.run().notes().forEach(note -> words.add("note: " + SafeText.of(note)));
            List<String> strips = strips();
            int others = lines.size() + 2 + strips.size() + words.size();
            int rows = options.heightOr(LINES_USUAL) - others;
            if (rows < ROWS_MIN && options.heightOr(0) == options.heightOr(1)) {
                throw new CliException(
                        2, "--height: at least " + (ROWS_MIN + others) + " lines for this run");
            }
            lines.addAll(activity(Math.max(ROWS_MIN, Math.min(ROWS_MAX, rows))));
            lines.addAll(strips);
            lines.addAll(words);
            return lines;
        }

        private List<String> activity(int rows) {
            Cells cells = new Cells(terminal, width, rows);
            run.marks(
                    (series, mark) -> {
                        Cells.Kind kind = kind(series);
                        if (kind != null) {
                            draw(cells, mark, kind);
                        }
                    });
            String[] labels = new String[rows];
            Arrays.fill(labels, "");
            for (Tick tick : Ticks.bytes(lowest, lowest + bytes, ticksOf(rows), "")) {
                int row = (int) ((1 - (tick.value() - lowest) / bytes) * rows);
                labels[Math.max(0, Math.min(rows - 1, row))] = tick.label();
            }
            List<String> lines = new ArrayList<>();
            for (int row = 0; row < rows; row++) {
                String edge = labels[row].isEmpty() ? side() : mark();
                lines.add(
                        beside(labels[row]) + terminal.styled(Style.FAINT, edge) + cells.row(row));
            }
            lines.addAll(times());
            return lines;
        }

        private String side() {
            return terminal.utf8() ? "\u2502" : "|";
        }

        private String mark() {
            return terminal.utf8() ? "\u2524" : "+";
        }

        private Cells.Kind kind(Series series) {
            if (series.stage() != stage) {
                return null;
            }
            return switch (series.what()) {
                case READ, ASYNC_READ -> Cells.Kind.READ;
                case WRITE, ASYNC_WRITE -> Cells.Kind.WRITE;
                case FAILED -> Cells.Kind.FAILED;
                default -> null;
            };
        }

        private void draw(Cells cells, Mark mark, Cells.Kind kind) {
            double x0 = run.since(mark.startNanos()) / span;
            double x1 = run.since(mark.endNanos()) / span;
            double y0 = up(mark.offset());
            double y1 = up(mark.offsetEnd());
            if (kind == Cells.Kind.FAILED) {
                // A failure outside of the axis is shown at its edge.
                y0 = Math.max(0, Math.min(1, y0));
                y1 = Math.max(0, Math.min(1, y1));
            }
            if (mark.shape() == Shape.LINE) {
                cells.line(x0, y0, x1, y1, kind);
            } else {
                cells.area(x0, y0, x1, y1, kind);
            }
        }

        /** Returns the height of an offset; a mark without one is shown at the foot. */
        private double up(long offset) {
            return offset < 0 ? 0 : ((double) offset - lowest) / bytes;
        }

        /** Returns the time axis and its labels. */
        private List<String> times() {
            double begin = alone ? run.run().beginNanos() : 0;
            boolean far = Math.abs(begin) > 1000 * span;
            String zero = far ? RunFacts.moment(run.run().beginNanos()) : "0";
            begin = far ? 0 : begin;
            StringBuilder axis =
                    new StringBuilder((terminal.utf8() ? "\u2500" : "-").repeat(width));
            StringBuilder labels = new StringBuilder(" ".repeat(left + width + 12));
            int free = 0;
            for (Tick tick : Ticks.time(begin, begin + span, Math.max(2, width / 14))) {
                int at = (int) Math.min(width - 1.0, (tick.value() - begin) / span * width);
                axis.setCharAt(at, terminal.utf8() ? '\u253c' : '+');
                String label = tick.value() == 0 ? zero : far ? "+" + tick.label() : tick.label();
                int middle = Math.max(0, left + 1 + at - label.length() / 2);
                int from = Math.min(middle, columns - label.length());
                if (from >= free) {
                    labels.replace(from, from + label.length(), label);
                    free = from + label.length() + 2;
                }
            }
            String corner = terminal.utf8() ? "\u2514" : "+";
            return List.of(
                    " ".repeat(left) + terminal.styled(Style.FAINT, corner + axis),
                    labels.toString());
        }

        /**
         * Returns the bandwidth, a line for each direction that occurs, and the highest in words.
         */
        private List<String> strips() {
            List<String> lines = new ArrayList<>();
            List<String> peaks = new ArrayList<>();
            for (boolean read : new boolean[] {true, false}) {
                double[] sums = sums(run, span, width, read);
                double most = Arrays.stream(sums).max().orElse(0);
                if (most <= 0) {
                    continue;
                }
                String levels = terminal.utf8() ? BLOCKS : LETTERS;
                StringBuilder strip = new StringBuilder();
                for (double sum : sums) {
                    strip.append(levels.charAt(level(sum / fastest)));
                }
                String word = read ? "read" : "written";
                Style style = read ? Style.READ : Style.WRITE;
                lines.add(beside(word) + " " + terminal.styled(style, strip.toString()));
                peaks.add(word + " " + Amounts.rate(most / (span / width) * 1e9));
            }
            if (!peaks.isEmpty()) {
                String mean = Amounts.time(Math.max(1, Math.round(span / width)));
                lines.add("at most " + String.join(", ", peaks) + " (mean of " + mean + ")");
            }
            return lines;
        }

        private static int level(double share) {
            return share <= 0 ? 0 : (int) Math.max(1, Math.min(8, Math.ceil(share * 8)));
        }

        private String beside(String label) {
            return " ".repeat(Math.max(0, left - 1 - label.length())) + label + " ";
        }
    }
}
