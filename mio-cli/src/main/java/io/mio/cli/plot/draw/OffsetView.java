package io.mio.cli.plot.draw;

import io.mio.cli.plot.Mark;
import io.mio.cli.plot.Series;
import io.mio.cli.plot.Shape;
import io.mio.cli.plot.Stage;
import io.mio.cli.plot.Touched;
import io.mio.cli.plot.What;
import io.mio.cli.plot.draw.Ticks.Tick;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Offsets against time: what calls read and wrote at one stage, or what happened to pages. */
final class OffsetView implements View {
    /** The order of drawing, from below to above. */
    private static final List<What> CALLS =
            List.of(
                    What.OTHER,
                    What.ASYNC_READ,
                    What.ASYNC_WRITE,
                    What.READ,
                    What.WRITE,
                    What.FAILED);

    private static final List<What> PAGES =
            List.of(
                    What.PAGE_READING,
                    What.PAGE_PREFETCHED,
                    What.PAGE_DEMANDED,
                    What.PAGE_PREPARED,
                    What.PAGE_UNUSED,
                    What.PAGE_WRITING,
                    What.PAGE_HIT,
                    What.PAGE_MISS,
                    What.PAGE_WAIT,
                    What.FAILED);

    private static final double LEAST = 1.5;
    private static final double CROSSES_APART = 7;
    private static final int CROSSES_MAX = 4_000;

    /** Room for a cross above the highest offset. */
    private static final double HEADROOM = 5;

    private final Stage stage;
    private final Palette palette;
    private final double span;
    private final List<What> order;
    private final Set<What> occurring = EnumSet.noneOf(What.class);

    /** Number of runs that lie over one another; 1 if they do not. */
    private final int runCount;

    /** Number of all runs. */
    private final int drawnRuns;

    private final double lowest;
    private final double highest;
    private final List<Legend> overlaidRuns = new ArrayList<>();

    OffsetView(Stage stage, List<DrawnRun> runs, double span, Palette palette, boolean overlaid) {
        this.stage = stage;
        this.palette = palette;
        this.span = span;
        this.runCount = overlaid ? runs.size() : 1;
        this.drawnRuns = runs.size();
        this.order = stage == Stage.CACHE ? PAGES : CALLS;
        Touched touched = new Touched();
        for (DrawnRun run : runs) {
            if (runCount > 2) {
                overlaidRuns.add(
                        new Legend(
                                RunFacts.label(run.run()),
                                palette.hue(run.index()),
                                Legend.Sign.AREA));
            }
            run.marks(
                    (series, mark) -> {
                        if (series.stage() == stage && order.contains(series.what())) {
                            occurring.add(series.what());
                            if (series.what() != What.OTHER) {
                                touched.add(mark.offset(), mark.offsetEnd(), mark.bytes());
                            }
                        }
                    });
        }
        lowest = (double) DrawnRun.axisBegin(touched);
        highest = (double) Math.max(0, touched.end());
    }

    /** Returns true if there is nothing but opens and other calls that move no bytes. */
    boolean isEmpty() {
        return occurring.isEmpty() || occurring.equals(Set.of(What.OTHER));
    }

    @Override
    public String heading() {
        return stage == Stage.CACHE
                ? "Cache pages: offset"
                : "File activity, " + stage.label() + ": offset";
    }

    @Override
    public int usualHeight() {
        return 190;
    }

    @Override
    public List<Legend> legend() {
        List<Legend> legend = new ArrayList<>(overlaidRuns);
        for (What what : What.values()) {
            if (occurring.contains(what)) {
                legend.add(new Legend(what.label(), ink(what), sign(what)));
            }
        }
        return legend;
    }

    /**
     * Returns the colour in the legend. With more than two runs the hue tells the run, so that the
     * legend shows only the tint, of a neutral colour.
     */
    private Ink ink(What what) {
        return runCount > 2 ? palette.tinted(palette.faint(), what) : palette.of(what);
    }

    @Override
    public String missing(DrawnRun run) {
        List<Series> series = run.run().series();
        if (series.stream().anyMatch(one -> one.stage() == stage)) {
            return null;
        }
        boolean cached = series.stream().anyMatch(one -> one.stage() == Stage.CACHE);
        boolean below = series.stream().anyMatch(one -> one.stage() == Stage.SYSTEM);
        return switch (stage) {
            case SYSTEM ->
                    cached
                            ? "requests to the system were not recorded in this run"
                            : "no cache in this run: the program's requests are the system's";
            case CACHE -> below ? "no pages were recorded in this run" : "no cache in this run";
            default -> "nothing of this in this run";
        };
    }

    private static Legend.Sign sign(What what) {
        return switch (what) {
            case FAILED -> Legend.Sign.CROSS;
            case PAGE_HIT, PAGE_MISS -> Legend.Sign.POINT;
            case PAGE_WAIT, OTHER -> Legend.Sign.LINE;
            default -> Legend.Sign.AREA;
        };
    }

    @Override
    public boolean isOverTime() {
        return true;
    }

    @Override
    public List<Tick> ticksAcross(double width) {
        return List.of();
    }

    @Override
    public List<Tick> ticksUp(double height) {
        return Ticks.bytes(lowest, highest, (int) Math.max(2, height / 32), "");
    }

    @Override
    public double across(Box plot, double value) {
        return Axis.linear(0, span, plot.x(), plot.right()).at(value);
    }

    @Override
    public double up(Box plot, double value) {
        return Axis.linear(lowest, highest, plot.bottom() - 2, plot.y() + HEADROOM).at(value);
    }

    @Override
    public void paint(Scene scene, Box plot, List<DrawnRun> runs) {
        for (int i = 0; i < runs.size(); i++) {
            Painter painter = new Painter(plot, runs.get(i));
            painter.collect();
            painter.paint(scene, i);
        }
    }

    /** Collects the marks of one run and draws them colour by colour. */
    private final class Painter {
        private final Box plot;
        private final DrawnRun run;
        private final Axis across;
        private final Axis up;
        private final Map<What, Thinned> exact = new EnumMap<>(What.class);
        private final Map<What, Thinned> boxes = new EnumMap<>(What.class);
        private final Outline crosses = new Outline();
        private final Set<Long> crossed = new HashSet<>();

        Painter(Box plot, DrawnRun run) {
            this.plot = plot;
            this.run = run;
            this.across = Axis.linear(0, span, plot.x(), plot.right());
            this.up = Axis.linear(lowest, highest, plot.bottom() - 2, plot.y() + HEADROOM);
        }

        void collect() {
            run.marks(
                    (series, mark) -> {
                        if (series.stage() == stage && order.contains(series.what())) {
                            add(series.what(), mark);
                        }
                    });
        }

        private void add(What what, Mark mark) {
            int sharers = 2 * occurring.size() * drawnRuns;
            Map<What, Thinned> thinned = mark.shape() == Shape.BOX ? boxes : exact;
            double x0 = across.at(run.since(mark.startNanos()));
            double x1 = across.at(run.since(mark.endNanos()));
            double y0 = mark.offset() < 0 ? plot.bottom() - 4 : up.at((double) mark.offset());
            double y1 = mark.offsetEnd() < 0 ? y0 : up.at((double) mark.offsetEnd());
            Thinned marks =
                    thinned.computeIfAbsent(what, any -> new Thinned(plot, least(what), sharers));
            if (what == What.FAILED) {
                // A failure outside of the axis is shown at its edge.
                double y = (y0 + y1) / 2;
                cross((x0 + x1) / 2, Math.max(up.at(highest), Math.min(plot.bottom() - 2, y)));
            } else if (what == What.OTHER) {
                marks.area(x0, plot.bottom() - 4, x0, plot.bottom());
            } else if (mark.shape() == Shape.LINE) {
                marks.line(x0, y0, x1, y1);
            } else if (what == What.PAGE_HIT || what == What.PAGE_MISS) {
                if (mark.shape() == Shape.BOX) {
                    marks.area(x0, y0, x1, y1);
                } else {
                    marks.point(x0, (y0 + y1) / 2);
                }
            } else if (what == What.PAGE_WAIT) {
                marks.area(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2);
            } else {
                marks.area(x0, y0, x1, y1);
            }
        }

        private double least(What what) {
            return what == What.PAGE_MISS ? 2 : LEAST;
        }

        private void cross(double x, double y) {
            long place = Math.round(x / CROSSES_APART) * 100_000 + Math.round(y / CROSSES_APART);
            if (crossed.size() < CROSSES_MAX && crossed.add(place)) {
                crosses.cross(x, y, 3.5);
            }
        }

        void paint(Scene scene, int overlaid) {
            for (What what : order) {
                Ink ink = palette.of(what, overlaid, runCount);
                // Where in a box its events were is not known, so it is drawn fainter.
                paint(scene, boxes.get(what), ink, opacity(what) / 2, overlaid);
                paint(scene, exact.get(what), ink, opacity(what), overlaid);
            }
            if (!crosses.isEmpty()) {
                Ink ink = palette.of(What.FAILED, overlaid, runCount);
                scene.stroke(crosses, ink, 2, Scene.SOLID);
            }
        }

        private static void paint(
                Scene scene, Thinned marks, Ink ink, double opacity, int overlaid) {
            if (marks == null) {
                return;
            }
            fill(scene, marks.areas(), ink.withOpacity(opacity));
            fill(scene, marks.dots(), ink.withOpacity(Math.max(0.8, opacity)));
            if (!marks.lines().isEmpty()) {
                double[] dashes = overlaid == 0 ? Scene.SOLID : Legend.DASHES;
                scene.stroke(marks.lines(), ink.withOpacity(0.9), LEAST, dashes);
            }
        }

        private static void fill(Scene scene, Outline outline, Ink ink) {
            if (!outline.isEmpty()) {
                scene.fill(outline, ink);
            }
        }

        private static double opacity(What what) {
            return switch (what) {
                case PAGE_PREFETCHED, PAGE_DEMANDED, PAGE_PREPARED, PAGE_UNUSED -> 0.5;
                case PAGE_READING -> 0.55;
                case PAGE_HIT -> 0.6;
                default -> 0.8;
            };
        }
    }
}
