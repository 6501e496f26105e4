package io.mio.cli.plot.draw;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Draws a scene as pixels. */
final class RasterScene implements Scene {
    /** Pieces of a curve of a character: enough for the sizes that pictures have. */
    private static final int PIECES = 6;

    private final int width;
    private final int height;
    private final int density;
    private final int[] rgb;
    private final Coverage coverage;
    private final TrueType font = TrueType.usual();

    /**
     * Makes an empty picture.
     *
     * @param width in pixels of the scene
     * @param density pixels of the picture to one of the scene
     */
    RasterScene(int width, int height, int density, Ink ground) {
        this.width = width * density;
        this.height = height * density;
        this.density = density;
        this.rgb = new int[this.width * this.height];
        Arrays.fill(rgb, ground.rgb());
        this.coverage = new Coverage(this.width, this.height);
    }

    /** Writes the picture as PNG; the stream stays open. */
    void write(OutputStream out) throws IOException {
        PngFile.write(rgb, width, height, density, out);
    }

    @Override
    public void open(String title, String description) {}

    @Override
    public void close() {}

    @Override
    public void clip(Box box) {
        coverage.clip(
                box.x() * density,
                box.y() * density,
                box.right() * density,
                box.bottom() * density);
    }

    @Override
    public void endClip() {
        coverage.clip(0, 0, width, height);
    }

    @Override
    public void fill(Outline outline, Ink ink) {
        Filling filling = new Filling();
        outline.draw(filling);
        filling.close();
        blend(ink);
    }

    @Override
    public void stroke(Outline outline, Ink ink, double lineWidth, double[] dashes) {
        outline.draw(new Stroke(lineWidth * density / 2, scaled(dashes)));
        blend(ink);
    }

    private double[] scaled(double[] dashes) {
        return Arrays.stream(dashes).map(dash -> dash * density).toArray();
    }

    @Override
    public void text(
            double x, double y, String text, double size, Anchor anchor, boolean upward, Ink ink) {
        double before = font.width(text, size) * anchor.share();
        double originX = upward ? x * density : (x - before) * density;
        double originY = upward ? (y + before) * density : Math.floor(y * density + 0.5);
        font.draw(text, size * density, new Writing(originX, originY, upward));
        blend(ink);
    }

    private void blend(Ink ink) {
        int red = ink.rgb() >> 16 & 0xff;
        int green = ink.rgb() >> 8 & 0xff;
        int blue = ink.rgb() & 0xff;
        coverage.take(
                (x, y, share) -> {
                    int at = y * width + x;
                    double opacity = share * ink.opacity();
                    int below = rgb[at];
                    rgb[at] =
                            mixed(below >> 16 & 0xff, red, opacity) << 16
                                    | mixed(below >> 8 & 0xff, green, opacity) << 8
                                    | mixed(below & 0xff, blue, opacity);
                });
    }

    private static int mixed(int below, int above, double opacity) {
        return (int) (below + (above - below) * opacity + 0.5);
    }

    /** Fills closed lines: their edges are those of the shape. */
    private final class Filling implements Outline.Pen {
        private double startX;
        private double startY;
        private double atX;
        private double atY;

        @Override
        public void move(double x, double y) {
            close();
            startX = x * density;
            startY = y * density;
            atX = startX;
            atY = startY;
        }

        @Override
        public void line(double x, double y) {
            coverage.edge(atX, atY, x * density, y * density);
            atX = x * density;
            atY = y * density;
        }

        @Override
        public void close() {
            coverage.edge(atX, atY, startX, startY);
            atX = startX;
            atY = startY;
        }

        @Override
        public void rectangle(double x, double y, double rectWidth, double rectHeight) {
            double toX = (x + rectWidth) * density;
            double toY = (y + rectHeight) * density;
            coverage.edge(toX, toY, toX, y * density);
            coverage.edge(x * density, y * density, x * density, toY);
        }
    }

    /**
     * Draws lines. Each piece of a line is a rectangle, and all of them go round in one direction.
     */
    private final class Stroke implements Outline.Pen {
        private final double half;
        private final double[] dashes;
        private double startX;
        private double startY;
        private double atX;
        private double atY;
        private int dash;
        private double left;

        Stroke(double half, double[] dashes) {
            this.half = half;
            this.dashes = dashes;
        }

        @Override
        public void move(double x, double y) {
            startX = x * density;
            startY = y * density;
            atX = startX;
            atY = startY;
            dash = 0;
            left = dashes.length == 0 ? 0 : dashes[0];
        }

        @Override
        public void line(double x, double y) {
            to(x * density, y * density);
        }

        @Override
        public void close() {
            to(startX, startY);
        }

        @Override
        public void rectangle(double x, double y, double rectWidth, double rectHeight) {
            move(x, y);
            line(x + rectWidth, y);
            line(x + rectWidth, y + rectHeight);
            line(x, y + rectHeight);
            close();
        }

        private void to(double x, double y) {
            double length = Math.sqrt((x - atX) * (x - atX) + (y - atY) * (y - atY));
            if (dashes.length == 0) {
                piece(atX, atY, x, y, length);
            } else {
                double fromX = atX;
                double fromY = atY;
                for (double done = 0; done < length; ) {
                    double step = Math.min(left, length - done);
                    done += step;
                    left -= step;
                    double nextX = atX + (x - atX) * done / length;
                    double nextY = atY + (y - atY) * done / length;
                    if (dash % 2 == 0) {
                        piece(fromX, fromY, nextX, nextY, step);
                    }
                    fromX = nextX;
                    fromY = nextY;
                    if (left <= 1e-9) {
                        dash = (dash + 1) % dashes.length;
                        left = dashes[dash];
                    }
                }
            }
            atX = x;
            atY = y;
        }

        private void piece(double x0, double y0, double x1, double y1, double length) {
            if (length < 1e-9) {
                return;
            }
            double alongX = (x1 - x0) / length * half;
            double alongY = (y1 - y0) / length * half;
            // Corners of steps are filled; slanted lines meet well enough.
            boolean straight = (x0 == x1 || y0 == y1) && dashes.length == 0;
            double fromX = straight ? x0 - alongX : x0;
            double fromY = straight ? y0 - alongY : y0;
            double toX = straight ? x1 + alongX : x1;
            double toY = straight ? y1 + alongY : y1;
            coverage.edge(fromX - alongY, fromY + alongX, toX - alongY, toY + alongX);
            coverage.edge(toX - alongY, toY + alongX, toX + alongY, toY - alongX);
            coverage.edge(toX + alongY, toY - alongX, fromX + alongY, fromY - alongX);
            coverage.edge(fromX + alongY, fromY - alongX, fromX - alongY, fromY + alongX);
        }
    }

    /** Draws characters, whose curves become lines. */
    private final class Writing implements TrueType.Pen {
        private final double originX;
        private final double originY;
        private final boolean upward;
        private double startX;
        private double startY;
        private double atX;
        private double atY;

        Writing(double originX, double originY, boolean upward) {
            this.originX = originX;
            this.originY = originY;
            this.upward = upward;
        }

        @Override
        public void move(double x, double y) {
            startX = x;
            startY = y;
            atX = x;
            atY = y;
        }

        @Override
        public void line(double x, double y) {
            if (upward) {
                coverage.edge(originX - atY, originY - atX, originX - y, originY - x);
            } else {
                coverage.edge(originX + atX, originY - atY, originX + x, originY - y);
            }
            atX = x;
            atY = y;
        }

        @Override
        public void curve(double controlX, double controlY, double x, double y) {
            double fromX = atX;
            double fromY = atY;
            for (int i = 1; i <= PIECES; i++) {
                double t = (double) i / PIECES;
                double s = 1 - t;
                line(
                        s * s * fromX + 2 * s * t * controlX + t * t * x,
                        s * s * fromY + 2 * s * t * controlY + t * t * y);
            }
        }

        @Override
        public void close() {
            line(startX, startY);
        }
    }
}
