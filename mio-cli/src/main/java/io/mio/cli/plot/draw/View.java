package io.mio.cli.plot.draw;

import io.mio.cli.plot.draw.Ticks.Tick;
import java.util.List;

/** One panel, made ready for all runs, so that its scales are the same for all of them. */
interface View {
    /** What it shows, in words. */
    String heading();

    /** Height of its plot in pixels, if nobody wants another one. */
    int usualHeight();

    /** What its colours stand for; only what occurs. */
    List<Legend> legend();

    /** It has the time axis that panels share. */
    boolean isOverTime();

    /** Marks of the horizontal axis, if that is its own. */
    List<Tick> ticksAcross(double width);

    /** Marks of the vertical axis. */
    List<Tick> ticksUp(double height);

    /** Where a value of the horizontal axis is. */
    double across(Box plot, double value);

    /** Where a value of the vertical axis is. */
    double up(Box plot, double value);

    /**
     * Why there is nothing of a run, in place of an empty panel beside that of another; or null.
     */
    default String missing(DrawnRun run) {
        return null;
    }

    /** Draws the runs, without axes. */
    void paint(Scene scene, Box plot, List<DrawnRun> runs);
}
