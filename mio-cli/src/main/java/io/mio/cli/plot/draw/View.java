package io.mio.cli.plot.draw;

import io.mio.cli.plot.draw.Ticks.Tick;
import java.util.List;

/** One panel, prepared for all runs, so that its scales are the same for all of them. */
interface View {
    /** Returns what the panel shows, in words. */
    String heading();

    /** Returns the usual height of the panel's plot in pixels. */
    int usualHeight();

    /** Returns what the colours stand for; only those that occur. */
    List<Legend> legend();

    /** Returns whether the panel has the time axis that panels share. */
    boolean isOverTime();

    /** Returns the marks of the horizontal axis, if the panel has one of its own. */
    List<Tick> ticksAcross(double width);

    /** Returns the marks of the vertical axis. */
    List<Tick> ticksUp(double height);

    /** Returns the place of a value on the horizontal axis. */
    double across(Box plot, double value);

    /** Returns the place of a value on the vertical axis. */
    double up(Box plot, double value);

    /**
     * Returns why there is nothing of a run, for a panel that is empty beside that of another run;
     * or null.
     */
    default String missing(DrawnRun run) {
        return null;
    }

    /** Draws the runs, without axes. */
    void paint(Scene scene, Box plot, List<DrawnRun> runs);
}
