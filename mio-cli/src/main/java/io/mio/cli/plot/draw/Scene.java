package io.mio.cli.plot.draw;

/**
 * What a picture is made of, whatever its form. Coordinates are pixels from the upper left corner;
 * what comes later lies above. Shapes of one call are one shape: where they overlap nothing becomes
 * darker.
 */
interface Scene {
    /** A line without gaps. */
    double[] SOLID = {};

    /** Begins a part that has a name and a description for those who cannot see it. */
    void open(String title, String description);

    /** Ends it. */
    void close();

    /** Until {@link #endClip} only what lies in the box is seen. Not nested. */
    void clip(Box box);

    /** See {@link #clip}. */
    void endClip();

    /** Fills the outline; subpaths that are not closed are closed. */
    void fill(Outline outline, Ink ink);

    /**
     * Draws along the outline.
     *
     * @param dashes lengths of line and gap in turn, or {@link #SOLID}
     */
    void stroke(Outline outline, Ink ink, double width, double[] dashes);

    /**
     * One line of text that is safe already.
     *
     * @param y of the base line
     * @param size of the font
     * @param upward turned by 90 degrees against the clock
     */
    void text(double x, double y, String text, double size, Anchor anchor, boolean upward, Ink ink);
}
