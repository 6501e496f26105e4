package io.mio.cli.plot.draw;

/**
 * The shapes that a picture is made of, whatever its form. Coordinates are pixels from the upper
 * left corner; later shapes lie above earlier ones. All shapes of one call are one shape: where
 * they overlap nothing becomes darker.
 */
interface Scene {
    /** A line without gaps. */
    double[] SOLID = {};

    /** Begins a part that has a name and a description for those who cannot see it. */
    void open(String title, String description);

    /** Ends the part. */
    void close();

    /** Shows only what lies in the box, until {@link #endClip}. Not nested. */
    void clip(Box box);

    /** Ends {@link #clip}. */
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
     * Draws one line of text that is safe already.
     *
     * @param y height of the base line
     * @param size size of the font
     * @param upward whether it is turned by 90 degrees against the clock
     */
    void text(double x, double y, String text, double size, Anchor anchor, boolean upward, Ink ink);
}
