package io.mio.cli.plot.draw;

/**
 * What a colour stands for.
 *
 * @param label words
 * @param ink colour
 * @param sign shape
 */
record Legend(String label, Ink ink, Sign sign) {
    /** Shapes of the sign. */
    enum Sign {
        AREA,
        LINE,
        DASHES,
        POINT,
        CROSS
    }

    /** Dashes of {@link Sign#DASHES}. */
    static final double[] DASHES = {5, 3};

    /** Draws the sign left of {@code x}, around the middle {@code y}. */
    void draw(Scene scene, double x, double y) {
        switch (sign) {
            case AREA ->
                    scene.fill(
                            new Outline().rectangle(x, y - 4, 10, 8),
                            ink.withOpacity(Math.max(0.75, ink.opacity())));
            case LINE ->
                    scene.stroke(new Outline().move(x, y).line(x + 12, y), ink, 2, Scene.SOLID);
            case DASHES -> scene.stroke(new Outline().move(x, y).line(x + 13, y), ink, 1.5, DASHES);
            case POINT -> scene.fill(new Outline().diamond(x + 5, y, 3), ink);
            case CROSS -> scene.stroke(new Outline().cross(x + 5, y, 4), ink, 2, Scene.SOLID);
        }
    }
}
