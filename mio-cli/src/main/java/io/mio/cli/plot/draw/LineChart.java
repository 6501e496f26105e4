package io.mio.cli.plot.draw;

import io.mio.cli.plot.draw.PictureOptions.Theme;
import io.mio.cli.plot.draw.Ticks.Tick;
import io.mio.cli.term.SafeText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Panels of rates by category, two side by side: a line for each series with its spread, or bars
 * where there is one category. Made of the same shapes as pictures of runs.
 */
public final class LineChart {
    private static final int WIDTH = 1200;
    private static final int COLUMNS = 2;
    private static final double MARGIN = 16;
    private static final double LINE = 16;
    private static final double LEFT = 84;
    private static final double RIGHT = 24;
    private static final double HEADING = 22;
    private static final double PLOT_HEIGHT = 190;
    private static final double AXIS = 40;
    private static final double TITLE_SIZE = 17;
    private static final double TEXT_SIZE = 12;
    private static final double SMALL_SIZE = 10.5;

    /** Half of the width of the line that ends a spread. */
    private static final double CAP = 3;

    /** Most entries of the legend in one line. */
    private static final int LEGENDS = 5;

    private static final int TICKS_UP = 6;
    private static final int DENSITY = 2;

    private static final double[][] DASHES = {Scene.SOLID, {6, 3}, {2, 3}};

    /**
     * One line of a panel.
     *
     * @param middle middle value of each category, for example bytes per second; not a number where
     *     there is none
     * @param least lower end of the spread, likewise
     * @param most upper end, likewise
     */
    public record Series(
            String label, List<Double> middle, List<Double> least, List<Double> most) {}

    /**
     * One panel.
     *
     * @param categories below the axis, in order
     */
    public record Plot(String heading, List<String> categories, List<Series> series, Scale scale) {
        /** Makes a panel of rates. */
        public Plot(String heading, List<String> categories, List<Series> series) {
            this(heading, categories, series, Scale.BYTES_PER_SECOND);
        }
    }

    /** What the axis shows. */
    public enum Scale {
        BYTES_PER_SECOND,
        /** Times in nanoseconds. */
        TIME,
        /** Numbers without a unit: the heading says what they are. */
        COUNT
    }

    private final String title;
    private final List<String> facts;
    private final List<Plot> plots;
    private final String below;
    private final Palette palette = Palette.of(Theme.LIGHT);
    private final TrueType font = TrueType.usual();

    /**
     * Makes a chart.
     *
     * @param facts lines below the title
     * @param below what the categories are
     */
    public LineChart(String title, List<String> facts, List<Plot> plots, String below) {
        this.title = SafeText.of(title);
        this.facts = facts.stream().map(SafeText::of).toList();
        this.plots = plots;
        this.below = SafeText.of(below);
    }

    private double top() {
        return MARGIN + 22 + facts.size() * LINE + 12;
    }

    /** Returns whether a panel has bars, which have their names below them. */
    private static boolean isBars(Plot plot) {
        return plot.categories().size() == 1;
    }

    private double legendHeight() {
        if (plots.stream().allMatch(LineChart::isBars)) {
            return 0;
        }
        int most = plots.stream().mapToInt(plot -> plot.series().size()).max().orElse(0);
        int lines = (most + LEGENDS - 1) / LEGENDS;
        return LINE * lines;
    }

    private double rowHeight() {
        return HEADING + legendHeight() + PLOT_HEIGHT + AXIS;
    }

    private int height() {
        int rows = (plots.size() + COLUMNS - 1) / COLUMNS;
        return (int) Math.ceil(top() + rows * rowHeight() + MARGIN);
    }

    private String description() {
        return String.join("\n", facts);
    }

    /** Writes the chart as SVG. */
    public void svg(OutputStream out) throws IOException {
        SvgScene scene = new SvgScene(WIDTH, height(), palette.ground(), title, description());
        paint(scene);
        out.write(scene.text().getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the chart as PNG, with two pixels for one of the SVG. */
    public void png(OutputStream out) throws IOException {
        RasterScene scene = new RasterScene(WIDTH, height(), DENSITY, palette.ground());
        paint(scene);
        scene.write(out);
    }

    private void paint(Scene scene) {
        double y = MARGIN + 14;
        text(scene, MARGIN, y, shortened(title, TITLE_SIZE, WIDTH - 2 * MARGIN), TITLE_SIZE, true);
        y += 6;
        for (String fact : facts) {
            y += LINE;
            text(
                    scene,
                    MARGIN,
                    y,
                    shortened(fact, TEXT_SIZE, WIDTH - 2 * MARGIN),
                    TEXT_SIZE,
                    false);
        }
        double columnWidth = (double) WIDTH / Math.min(COLUMNS, Math.max(1, plots.size()));
        for (int i = 0; i < plots.size(); i++) {
            double x = i % COLUMNS * columnWidth;
            int row = i / COLUMNS;
            double panelTop = top() + row * rowHeight();
            Box box =
                    new Box(
                            x + LEFT,
                            panelTop + HEADING + legendHeight(),
                            columnWidth - LEFT - RIGHT,
                            PLOT_HEIGHT);
            scene.open(SafeText.of(plots.get(i).heading()), description(plots.get(i)));
            panel(scene, plots.get(i), box, panelTop);
            scene.close();
        }
    }

    private static String description(Plot plot) {
        return SafeText.of(
                plot.heading()
                        + ": "
                        + String.join(", ", plot.series().stream().map(Series::label).toList()));
    }

    private void panel(Scene scene, Plot plot, Box box, double panelTop) {
        text(scene, box.x(), panelTop + 14, SafeText.of(plot.heading()), TEXT_SIZE + 1, true);
        if (!isBars(plot)) {
            legend(scene, plot, box, panelTop + 14 + LINE);
        }
        double most =
                plot.series().stream()
                        .flatMap(series -> series.most().stream())
                        .filter(Double::isFinite)
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(1);
        Axis up = Axis.linear(0, most * 1.05, box.bottom(), box.y());
        Outline grid = new Outline();
        for (Tick tick : ticks(plot.scale(), most * 1.05)) {
            double y = Math.floor(up.at(tick.value())) + 0.5;
            grid.move(box.x(), y).line(box.right(), y);
            scene.text(
                    box.x() - 6,
                    y + 3.5,
                    tick.label(),
                    SMALL_SIZE,
                    Anchor.END,
                    false,
                    palette.faint());
        }
        scene.stroke(grid, palette.grid(), 1, Scene.SOLID);
        List<String> names =
                isBars(plot)
                        ? plot.series().stream().map(Series::label).toList()
                        : plot.categories();
        categories(scene, plot, names, box);
        for (int i = 0; i < plot.series().size(); i++) {
            if (isBars(plot)) {
                bar(scene, plot, box, up, i);
            } else {
                line(scene, plot, box, up, i);
            }
        }
        Box frame = new Box(box.x() + 0.5, box.y() + 0.5, box.width() - 1, box.height() - 1);
        scene.stroke(new Outline().rectangle(frame), palette.frame(), 1, Scene.SOLID);
    }

    private static List<Tick> ticks(Scale scale, double most) {
        return switch (scale) {
            case BYTES_PER_SECOND -> Ticks.bytes(0, most, TICKS_UP, "/s");
            case TIME -> Ticks.time(0, most, TICKS_UP);
            case COUNT -> Ticks.counts(0, most, TICKS_UP);
        };
    }

    private void legend(Scene scene, Plot plot, Box box, double top) {
        double width = box.width() / LEGENDS;
        for (int i = 0; i < plot.series().size(); i++) {
            double x = box.x() + i % LEGENDS * width;
            int row = i / LEGENDS;
            double y = top + row * LINE;
            Outline sign = new Outline().move(x, y - 4).line(x + 14, y - 4);
            scene.stroke(sign, ink(i), 2, dashes(i));
            String label =
                    shortened(SafeText.of(plot.series().get(i).label()), SMALL_SIZE, width - 26);
            text(scene, x + 19, y, label, SMALL_SIZE, false);
        }
    }

    private void categories(Scene scene, Plot plot, List<String> names, Box box) {
        double free = box.x() - LEFT;
        for (int i = 0; i < names.size(); i++) {
            String label = SafeText.of(names.get(i));
            if (isBars(plot)) {
                label = shortened(label, SMALL_SIZE, box.width() / names.size() - 6);
            }
            double half = font.width(label, SMALL_SIZE) / 2;
            double x = across(names.size(), box, i);
            if (x - half >= free) {
                free = x + half + 6;
                scene.text(
                        x,
                        box.bottom() + 14,
                        label,
                        SMALL_SIZE,
                        Anchor.MIDDLE,
                        false,
                        palette.faint());
            }
        }
        scene.text(
                box.right(),
                box.bottom() + 28,
                isBars(plot) ? below + " " + SafeText.of(plot.categories().get(0)) : below,
                SMALL_SIZE,
                Anchor.END,
                false,
                palette.faint());
    }

    /** Returns the middle of a category's part of the axis. */
    private static double across(int count, Box box, int number) {
        return box.x() + box.width() * (number + 0.5) / count;
    }

    private void line(Scene scene, Plot plot, Box box, Axis up, int number) {
        Series series = plot.series().get(number);
        Outline curve = new Outline();
        Outline ends = new Outline();
        Outline points = new Outline();
        boolean open = false;
        for (int i = 0; i < series.middle().size(); i++) {
            if (!Double.isFinite(series.middle().get(i))) {
                open = false;
                continue;
            }
            double x = across(plot.categories().size(), box, i);
            double y = up.at(series.middle().get(i));
            if (open) {
                curve.line(x, y);
            } else {
                curve.move(x, y);
            }
            open = true;
            points.diamond(x, y, 3);
            spread(ends, x, up.at(series.least().get(i)), up.at(series.most().get(i)));
        }
        scene.stroke(curve, ink(number), 1.8, dashes(number));
        scene.stroke(ends, ink(number).withOpacity(0.7), 1, Scene.SOLID);
        scene.fill(points, ink(number));
    }

    private void bar(Scene scene, Plot plot, Box box, Axis up, int number) {
        Series series = plot.series().get(number);
        double middle = series.middle().get(0);
        if (!Double.isFinite(middle)) {
            return;
        }
        double x = across(plot.series().size(), box, number);
        double width = Math.min(60, box.width() / plot.series().size() * 0.6);
        double y = up.at(middle);
        scene.fill(
                new Outline().rectangle(x - width / 2, y, width, box.bottom() - y),
                ink(number).withOpacity(0.75));
        Outline ends = new Outline();
        spread(ends, x, up.at(series.least().get(0)), up.at(series.most().get(0)));
        scene.stroke(ends, palette.text(), 1, Scene.SOLID);
    }

    private static void spread(Outline ends, double x, double least, double most) {
        ends.move(x, least).line(x, most);
        ends.move(x - CAP, least).line(x + CAP, least);
        ends.move(x - CAP, most).line(x + CAP, most);
    }

    private Ink ink(int number) {
        List<Ink> inks =
                List.of(
                        palette.read(),
                        palette.write(),
                        palette.ahead(),
                        palette.failed(),
                        palette.asyncWrite(),
                        palette.asyncRead());
        return inks.get(number % inks.size());
    }

    private static double[] dashes(int number) {
        return DASHES[number / 6 % DASHES.length];
    }

    private String shortened(String text, double size, double widthMax) {
        String shown = text;
        for (int columns = text.length(); columns > 3 && font.width(shown, size) > widthMax; ) {
            columns -= 1 + columns / 20;
            shown = SafeText.shorten(text, columns);
        }
        return shown;
    }

    private void text(Scene scene, double x, double y, String text, double size, boolean strong) {
        scene.text(
                x, y, text, size, Anchor.START, false, strong ? palette.text() : palette.faint());
    }
}
