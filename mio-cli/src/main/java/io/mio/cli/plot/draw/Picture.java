package io.mio.cli.plot.draw;

import io.mio.cli.plot.Loss;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Touched;
import io.mio.cli.plot.draw.PictureOptions.Layout;
import io.mio.cli.plot.draw.PictureOptions.Theme;
import io.mio.cli.plot.draw.Ticks.Tick;
import io.mio.cli.term.CliException;
import io.mio.cli.term.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A picture of runs: facts on each of them, panels on one time axis, notes at the foot. Runs are
 * side by side on the same scales, or one lies over the other.
 */
final class Picture {
    static final int WIDTH_MAX = 16_384;
    private static final int WIDTH_USUAL = 1200;

    private static final double TITLE_SIZE = 17;
    private static final double LABEL_SIZE = 13;
    private static final double SMALL_SIZE = 10.5;
    private static final double MARGIN = 16;

    /** Pixels of a bin of figures over time. */
    private static final double BIN_PIXELS = 2;

    private static final double HATCH_PIXELS = 6;

    /** Least width of a band where events are missing, and width of one where recording stopped. */
    private static final double LOSS_PIXELS = 1.5;

    private static final double END_PIXELS = 8;

    /** Times are told from the run's first event if time zero is so many spans away. */
    private static final double FAR = 1000;

    private final Palette palette;
    private final List<RunPlot> runs;
    private final List<List<DrawnRun>> columns = new ArrayList<>();
    private final boolean overlaid;
    private final String title;
    private final int width;
    private final int height;
    private final double plotWidth;
    private final double span;
    private final Sheet sheet;
    private final List<String> notes;
    private final TrueType font = TrueType.usual();

    /**
     * @throws CliException if it would be too small for what is in it, or too large; in words for
     *     the user
     */
    Picture(List<RunPlot> runs, PictureOptions options) {
        this.runs = runs;
        this.palette = Palette.of(options.theme());
        this.overlaid = runs.size() > 1 && options.layout() == Layout.OVERLAY;
        this.title = options.title() == null ? null : SafeText.of(options.title());
        this.width = options.widthOr(WIDTH_USUAL);
        int wanted = options.heightOr(0);
        if (width > WIDTH_MAX || wanted > WIDTH_MAX) {
            throw new CliException(2, "--width, --height: at most " + WIDTH_MAX);
        }
        this.plotWidth = Sheet.plotWidth(width, overlaid ? 1 : runs.size());
        this.span = runs.stream().mapToDouble(DrawnRun::span).max().orElse(1);
        List<DrawnRun> drawn = drawn();
        if (overlaid) {
            columns.add(drawn);
        } else {
            drawn.forEach(run -> columns.add(List.of(run)));
        }
        int bins = (int) Math.max(1, plotWidth / BIN_PIXELS);
        List<View> views = new Views(drawn, span, bins, palette, overlaid).all(options.panels());
        this.notes = notes(views, options);
        double top = headingHeight();
        double foot = notes.size() * Sheet.LINE + MARGIN;
        this.sheet =
                Sheet.of(
                        views,
                        columns,
                        width,
                        top,
                        wanted == 0 ? 0 : heightLeft(wanted, top + foot),
                        top + foot);
        this.height = wanted > 0 ? wanted : (int) Math.ceil(sheet.bottom() + foot);
    }

    /** Returns the height left; never 0, which means as much as is needed. */
    private static double heightLeft(int wanted, double around) {
        return wanted > around ? wanted - around : -1;
    }

    private List<DrawnRun> drawn() {
        Touched touched = new Touched();
        runs.forEach(run -> DrawnRun.addOffsets(run, touched));
        double bytes = Math.max(0, touched.end() - DrawnRun.axisBegin(touched));
        List<DrawnRun> drawn = new ArrayList<>();
        for (RunPlot run : runs) {
            drawn.add(DrawnRun.of(run, drawn.size(), span / plotWidth / 2, bytes / 400));
        }
        return drawn;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    Ink ground() {
        return palette.ground();
    }

    /** Returns a name for all of the picture. */
    String title() {
        if (title != null) {
            return title;
        }
        return String.join(" and ", runs.stream().map(RunFacts::label).toList());
    }

    /** Returns the facts on all runs. */
    String description() {
        List<String> lines = new ArrayList<>();
        for (RunPlot run : runs) {
            lines.add(RunFacts.label(run) + ": " + String.join("; ", facts(run)));
        }
        return String.join("\n", lines);
    }

    private static List<String> facts(RunPlot run) {
        List<String> facts = new ArrayList<>();
        facts.add(RunFacts.origin(run));
        facts.add(RunFacts.files(run));
        facts.addAll(RunFacts.totals(run));
        return facts;
    }

    // ---- above and below the panels

    private double columnWidth() {
        return (width - 2 * MARGIN - (runs.size() - 1) * Sheet.BETWEEN) / runs.size();
    }

    private List<String> wrappedFacts(RunPlot run) {
        List<String> lines = new ArrayList<>();
        for (String fact : facts(run)) {
            lines.addAll(wrapped(fact, columnWidth(), Sheet.TEXT_SIZE));
        }
        return lines;
    }

    private double headingHeight() {
        int lines = runs.stream().mapToInt(run -> wrappedFacts(run).size()).max().orElse(0);
        return MARGIN + (title == null ? 0 : 24) + 18 + lines * Sheet.LINE + 6;
    }

    private List<String> notes(List<View> views, PictureOptions options) {
        Set<String> all = new LinkedHashSet<>();
        if (views.isEmpty() && runs.stream().anyMatch(run -> run.events() > 0)) {
            all.add("There is nothing to show in these panels.");
        }
        for (RunPlot run : runs) {
            String who = runs.size() == 1 ? "" : RunFacts.label(run) + ": ";
            run.notes().forEach(note -> all.add(who + SafeText.of(note)));
        }
        if (runs.size() > 1) {
            all.add(
                    "Times are since the first event of each run; as mio events has them, "
                            + String.join(", ", runs.stream().map(RunFacts::begin).toList())
                            + ".");
        }
        if (overlaid && runs.size() > 2) {
            all.add("Each run has a colour; lighter and darker ones of it are what it did.");
        }
        for (int i = 1; overlaid && runs.size() == 2 && i < 2; i++) {
            all.add(
                    RunFacts.label(runs.get(i))
                            + " lies over "
                            + RunFacts.label(runs.get(0))
                            + (options.theme() == Theme.DARK
                                    ? ", in paler colours."
                                    : ", in darker colours."));
        }
        List<String> lines = new ArrayList<>();
        all.forEach(note -> lines.addAll(wrapped(note, width - 2 * MARGIN, SMALL_SIZE)));
        return lines;
    }

    /** Returns lines that are no wider, cut between words; a word that is too long is shortened. */
    private List<String> wrapped(String text, double widthMax, double size) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.split(" ")) {
            String longer = line.isEmpty() ? word : line + " " + word;
            if (font.width(longer, size) <= widthMax) {
                line = longer;
            } else {
                if (!line.isEmpty()) {
                    lines.add(line);
                }
                line = shortened(word, widthMax, size);
            }
        }
        lines.add(line);
        return lines;
    }

    private String shortened(String text, double widthMax, double size) {
        String shown = text;
        for (int columns = text.length(); columns > 3 && font.width(shown, size) > widthMax; ) {
            columns -= 1 + columns / 20;
            shown = SafeText.shorten(text, columns);
        }
        return shown;
    }

    // ---- drawing

    void paint(Scene scene) {
        heading(scene);
        View open = null;
        for (Sheet.Cell cell : sheet.cells()) {
            if (cell.view() != open) {
                if (open != null) {
                    scene.close();
                }
                open = cell.view();
                scene.open(open.heading(), description(open));
                pieces(scene, open);
            }
            cell(scene, cell);
        }
        if (open != null) {
            scene.close();
        }
        double y = height - MARGIN - (notes.size() - 1) * Sheet.LINE + 2;
        for (String note : notes) {
            scene.text(MARGIN, y, note, SMALL_SIZE, Anchor.START, false, palette.faint());
            y += Sheet.LINE;
        }
    }

    private static String description(View view) {
        List<String> shown = view.legend().stream().map(Legend::label).toList();
        return view.heading() + ": " + String.join(", ", shown);
    }

    private void heading(Scene scene) {
        double y = MARGIN + 12;
        if (title != null) {
            String shown = shortened(title, width - 2 * MARGIN, TITLE_SIZE);
            scene.text(MARGIN, y + 2, shown, TITLE_SIZE, Anchor.START, false, palette.text());
            y += 24;
        }
        for (int i = 0; i < runs.size(); i++) {
            double x = MARGIN + i * (columnWidth() + Sheet.BETWEEN);
            String label = shortened(RunFacts.label(runs.get(i)), columnWidth(), LABEL_SIZE);
            scene.text(x, y, label, LABEL_SIZE, Anchor.START, false, palette.text());
            double lineY = y + 3;
            for (String line : wrappedFacts(runs.get(i))) {
                lineY += Sheet.LINE;
                scene.text(x, lineY, line, Sheet.TEXT_SIZE, Anchor.START, false, palette.faint());
            }
        }
    }

    private void pieces(Scene scene, View view) {
        for (Sheet.Piece piece : sheet.pieces()) {
            if (piece.view() != view) {
                continue;
            }
            boolean heading = piece.legend() == null;
            if (!heading) {
                piece.legend().draw(scene, piece.x(), piece.y() - 4);
            }
            scene.text(
                    heading ? piece.x() : Sheet.afterSign(piece.x()),
                    piece.y(),
                    heading ? view.heading() : piece.legend().label(),
                    heading ? Sheet.TEXT_SIZE + 1 : Sheet.TEXT_SIZE,
                    Anchor.START,
                    false,
                    heading ? palette.text() : palette.faint());
        }
    }

    private void cell(Scene scene, Sheet.Cell cell) {
        View view = cell.view();
        Box plot = cell.plot();
        if (cell.missing() != null) {
            missing(scene, cell);
            return;
        }
        List<Tick> across = view.isOverTime() ? times() : view.ticksAcross(plot.width());
        List<Tick> up = view.ticksUp(plot.height());
        Outline grid = new Outline();
        for (Tick tick : across) {
            double x = Math.floor(view.across(plot, tick.value())) + 0.5;
            grid.move(x, plot.y()).line(x, plot.bottom());
        }
        for (Tick tick : up) {
            double y = Math.floor(view.up(plot, tick.value())) + 0.5;
            grid.move(plot.x(), y).line(plot.right(), y);
        }
        scene.stroke(grid, palette.grid(), 1, Scene.SOLID);
        scene.clip(plot);
        if (view.isOverTime()) {
            cell.runs().forEach(run -> losses(scene, plot, view, run));
        }
        view.paint(scene, plot, cell.runs());
        scene.endClip();
        Box frame = new Box(plot.x() + 0.5, plot.y() + 0.5, plot.width() - 1, plot.height() - 1);
        scene.stroke(new Outline().rectangle(frame), palette.frame(), 1, Scene.SOLID);
        labels(scene, cell, across, up);
    }

    /** Draws a line in place of a panel that would be empty. */
    private void missing(Scene scene, Sheet.Cell cell) {
        Box plot = cell.plot();
        Outline line = new Outline().move(plot.x(), plot.y() + 0.5);
        scene.stroke(line.line(plot.right(), plot.y() + 0.5), palette.frame(), 1, Scene.SOLID);
        String words = shortened(cell.missing(), plot.width(), SMALL_SIZE);
        scene.text(
                plot.x(), plot.y() + 13, words, SMALL_SIZE, Anchor.START, false, palette.faint());
        labels(scene, cell, times(), List.of());
    }

    private void labels(Scene scene, Sheet.Cell cell, List<Tick> across, List<Tick> up) {
        View view = cell.view();
        Box plot = cell.plot();
        if (cell.first()) {
            for (Tick tick : up) {
                double y = view.up(plot, tick.value()) + 3.5;
                // A label at the very edge stays beside the panel.
                double inside = Math.max(plot.y() + 7, Math.min(plot.bottom(), y));
                double room = Sheet.LEFT - 8;
                double more = Math.max(0, font.width(tick.label(), SMALL_SIZE) - room);
                scene.text(
                        plot.x() - 6 + more,
                        inside,
                        tick.label(),
                        SMALL_SIZE,
                        Anchor.END,
                        false,
                        palette.faint());
            }
        }
        if (cell.labelled()) {
            double free = plot.x() - Sheet.LEFT;
            for (Tick tick : across) {
                double half = font.width(tick.label(), SMALL_SIZE) / 2;
                double x = view.across(plot, tick.value());
                x = Math.min(x, plot.right() + Sheet.RIGHT - 2 - half);
                if (x - half < free) {
                    continue;
                }
                free = x + half + 8;
                scene.text(
                        x,
                        plot.bottom() + 15,
                        tick.label(),
                        SMALL_SIZE,
                        Anchor.MIDDLE,
                        false,
                        palette.faint());
            }
        }
    }

    /** Returns the marks of the time axis; for one run since time zero, as options want times. */
    private List<Tick> times() {
        int count = (int) Math.max(2, plotWidth / 75);
        double begin = runs.size() == 1 ? runs.get(0).beginNanos() : 0;
        if (Math.abs(begin) > FAR * span) {
            List<Tick> ticks = new ArrayList<>();
            String from = RunFacts.moment(runs.get(0).beginNanos());
            for (Tick tick : Ticks.time(0, span, count)) {
                boolean zero = tick.value() == 0;
                ticks.add(new Tick(tick.value(), zero ? from : "+" + tick.label()));
            }
            return ticks;
        }
        List<Tick> ticks = new ArrayList<>();
        for (Tick tick : Ticks.time(begin, begin + span, count)) {
            ticks.add(new Tick(tick.value() - begin, tick.label()));
        }
        return ticks;
    }

    /** Hatches the times in which events could not be recorded. */
    private void losses(Scene scene, Box plot, View view, DrawnRun run) {
        Outline bands = new Outline();
        Outline hatches = new Outline();
        for (Loss loss : run.run().losses()) {
            double from = Math.max(plot.x(), view.across(plot, run.since(loss.startNanos())));
            double to = Math.min(plot.right(), view.across(plot, run.since(loss.endNanos())));
            if (to >= plot.x() && from <= plot.right()) {
                // A loss at the very end of the picture has a band, too.
                boolean stopped = loss.startNanos() == loss.endNanos();
                double least = stopped ? END_PIXELS : LOSS_PIXELS;
                from = Math.min(from, plot.right() - least);
                to = Math.max(to, from + least);
                bands.rectangle(from, plot.y(), to - from, plot.height());
                double steep = plot.height();
                for (double x = from - steep; x < to; x += HATCH_PIXELS) {
                    double left = Math.max(from, x);
                    double right = Math.min(to, x + steep);
                    hatches.move(left, plot.bottom() - (left - x))
                            .line(right, plot.bottom() - (right - x));
                }
            }
        }
        if (!bands.isEmpty()) {
            scene.fill(bands, palette.faint().withOpacity(0.15));
            scene.stroke(hatches, palette.faint().withOpacity(0.5), 1, Scene.SOLID);
        }
    }
}
