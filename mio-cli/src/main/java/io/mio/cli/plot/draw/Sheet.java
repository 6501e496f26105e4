package io.mio.cli.plot.draw;

import io.mio.cli.term.CliException;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of a picture: panels below one another, in a column for each run or in one for all. If
 * there is one column, panels that have no time axis share a line.
 */
final class Sheet {
    static final int LEFT = 76;
    static final int RIGHT = 18;

    /** Pixels between columns. */
    static final int BETWEEN = 20;

    static final double TEXT_SIZE = 11;

    /** Pixels from base line to base line. */
    static final double LINE = 15;

    private static final double AXIS = 22;
    private static final double GAP = 10;
    private static final double LEGEND_GAP = 14;
    private static final double LEGEND_SIGN = 17;
    private static final int PLOT_WIDTH_MIN = 120;
    private static final int PLOT_HEIGHT_MIN = 24;

    /**
     * A panel of a run, or of all runs.
     *
     * @param first whether it is the leftmost one, which has the marks of the vertical axis
     * @param labelled whether it has labels below
     * @param missing why there is nothing in it, or null
     */
    record Cell(
            View view,
            Box plot,
            List<DrawnRun> runs,
            boolean first,
            boolean labelled,
            String missing) {}

    /**
     * A piece of the heading above a panel.
     *
     * @param legend null for the heading itself
     * @param y base line
     */
    record Piece(View view, Legend legend, double x, double y) {}

    private final List<Cell> cells = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final TrueType font = TrueType.usual();
    private final List<View> views;
    private final List<List<DrawnRun>> columns;
    private final int width;
    private final double plotWidth;
    private double y;

    private Sheet(List<View> views, List<List<DrawnRun>> columns, int width) {
        this.views = views;
        this.columns = columns;
        this.width = width;
        this.plotWidth = plotWidth(width, columns.size());
    }

    /**
     * Returns the width of a panel.
     *
     * @throws CliException if that is too little; says how much is needed
     */
    static double plotWidth(int width, int columns) {
        double plot = (width - LEFT - RIGHT - (columns - 1) * BETWEEN) / (double) columns;
        if (plot < PLOT_WIDTH_MIN) {
            int least = LEFT + RIGHT + columns * (PLOT_WIDTH_MIN + BETWEEN) - BETWEEN;
            throw new CliException(
                    2,
                    "--width: at least "
                            + least
                            + (columns == 1 ? "" : " for " + columns + " runs side by side"));
        }
        return Math.floor(plot);
    }

    /**
     * Places all panels.
     *
     * @param top first pixel that is free
     * @param height height of all panels together, 0 for what they need; may be less than 0
     * @param around height of everything but the panels, to tell how much is needed
     * @throws CliException if they do not fit
     */
    static Sheet of(
            List<View> views,
            List<List<DrawnRun>> columns,
            int width,
            double top,
            double height,
            double around) {
        Sheet sheet = new Sheet(views, columns, width);
        sheet.place(top, 1);
        if (height != 0 && !sheet.cells.isEmpty()) {
            double plots = sheet.plotHeights();
            double factor = (height - (sheet.y - top - plots)) / plots;
            if (factor * sheet.lowest() < PLOT_HEIGHT_MIN) {
                double least = PLOT_HEIGHT_MIN / sheet.lowest() * plots + sheet.y - top - plots;
                throw new CliException(
                        2,
                        "--height: at least "
                                + (int) Math.ceil(least + around)
                                + " for so many panels; choose some by --panels");
            }
            sheet.place(top, factor);
        }
        return sheet;
    }

    List<Cell> cells() {
        return cells;
    }

    List<Piece> pieces() {
        return pieces;
    }

    /** Returns the first pixel below the panels. */
    double bottom() {
        return y;
    }

    private double lowest() {
        return cells.stream().mapToDouble(cell -> cell.plot().height()).min().orElse(0);
    }

    private double plotHeights() {
        double sum = 0;
        double before = -1;
        for (Cell cell : cells) {
            if (cell.first() && cell.plot().y() != before) {
                sum += cell.plot().height();
                before = cell.plot().y();
            }
        }
        return sum;
    }

    private void place(double top, double factor) {
        cells.clear();
        pieces.clear();
        y = top;
        List<View> overTime = views.stream().filter(View::isOverTime).toList();
        for (View view : overTime) {
            boolean last = view == overTime.get(overTime.size() - 1);
            row(view, factor, last);
        }
        List<View> others = views.stream().filter(view -> !view.isOverTime()).toList();
        if (others.size() == 2 && columns.size() == 1 && plotWidth > 2.5 * PLOT_WIDTH_MIN + LEFT) {
            halves(others, factor);
        } else {
            others.forEach(view -> row(view, factor, true));
        }
    }

    private void row(View view, double factor, boolean labelled) {
        heading(view, LEFT, width - LEFT - RIGHT);
        double height = Math.floor(view.usualHeight() * factor);
        boolean found = false;
        for (int i = 0; i < columns.size(); i++) {
            Box plot = new Box(LEFT + i * (plotWidth + BETWEEN), y, plotWidth, height);
            String missing = columns.size() < 2 ? null : view.missing(columns.get(i).get(0));
            boolean first = missing == null && !found;
            found |= first;
            cells.add(new Cell(view, plot, columns.get(i), first, labelled, missing));
        }
        y += height + (labelled ? AXIS : 0) + GAP;
    }

    /**
     * Places two panels side by side. Both begin at the same height, however many lines their
     * headings take.
     */
    private void halves(List<View> both, double factor) {
        double half = Math.floor((plotWidth - LEFT) / 2);
        double top = y;
        double bottom = y;
        for (int i = 0; i < 2; i++) {
            y = top;
            heading(both.get(i), LEFT + i * (half + LEFT), half);
            bottom = Math.max(bottom, y);
        }
        y = bottom;
        double height = Math.floor(both.get(0).usualHeight() * factor);
        for (int i = 0; i < 2; i++) {
            Box plot = new Box(LEFT + i * (half + LEFT), y, half, height);
            cells.add(new Cell(both.get(i), plot, columns.get(0), true, true, null));
        }
        y += height + AXIS + GAP;
    }

    /** Places heading and legend, in as many lines as they take. */
    private void heading(View view, double left, double available) {
        y += LINE;
        pieces.add(new Piece(view, null, left, y));
        double x = left + font.width(view.heading(), TEXT_SIZE + 1) + LEGEND_GAP;
        for (Legend legend : view.legend()) {
            double needed = LEGEND_SIGN + font.width(legend.label(), TEXT_SIZE);
            if (x + needed > left + available) {
                x = left;
                y += LINE;
            }
            pieces.add(new Piece(view, legend, x, y));
            x += needed + LEGEND_GAP;
        }
        y += 7;
    }

    /** Returns where the text of a legend begins behind its sign. */
    static double afterSign(double x) {
        return x + LEGEND_SIGN;
    }
}
