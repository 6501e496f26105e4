package io.mio.cli.plot.draw;

import java.util.Locale;

/**
 * Draws a scene as SVG. Coordinates have one digit behind the point; paths have the steps from
 * point to point, which are short. Texts state their width, so that nothing overlaps whatever the
 * font is; the fonts that are asked for first have that width by themselves.
 */
final class SvgScene implements Scene {
    private final StringBuilder svg = new StringBuilder(1 << 16);
    private final TrueType font = TrueType.usual();
    private int clips;
    private int parts;

    SvgScene(int width, int height, Ink ground, String title, String description) {
        svg.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
                .append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
                .append(width)
                .append("\" height=\"")
                .append(height)
                .append("\" viewBox=\"0 0 ")
                .append(width)
                .append(' ')
                .append(height)
                .append("\" role=\"img\" aria-labelledby=\"picture\"")
                .append(" font-family=\"Liberation Sans, Arial, Helvetica, system-ui, sans-serif\"")
                .append(">\n<title id=\"picture\">")
                .append(escaped(title))
                .append("</title>\n<desc>")
                .append(escaped(description))
                .append("</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"")
                .append(colour(ground))
                .append("\"/>\n");
    }

    /** Returns all of the text. */
    String text() {
        return svg + "</svg>\n";
    }

    @Override
    public void open(String title, String description) {
        parts++;
        svg.append("<g role=\"group\" aria-labelledby=\"part-").append(parts).append("\">\n");
        svg.append("<title id=\"part-").append(parts).append("\">");
        svg.append(escaped(title)).append("</title>\n");
        svg.append("<desc>").append(escaped(description)).append("</desc>\n");
    }

    @Override
    public void close() {
        svg.append("</g>\n");
    }

    @Override
    public void clip(Box box) {
        clips++;
        svg.append("<clipPath id=\"clip-").append(clips).append("\"><path d=\"");
        new Outline().rectangle(box).draw(new Steps());
        svg.append("\"/></clipPath>\n<g clip-path=\"url(#clip-").append(clips).append(")\">\n");
    }

    @Override
    public void endClip() {
        svg.append("</g>\n");
    }

    @Override
    public void fill(Outline outline, Ink ink) {
        svg.append("<path fill=\"").append(colour(ink)).append('"');
        opacity("fill-opacity", ink);
        path(outline);
    }

    @Override
    public void stroke(Outline outline, Ink ink, double width, double[] dashes) {
        svg.append("<path fill=\"none\" stroke=\"").append(colour(ink)).append('"');
        opacity("stroke-opacity", ink);
        svg.append(" stroke-width=\"");
        tenths(tenths(width));
        if (dashes.length > 0) {
            svg.append("\" stroke-dasharray=\"");
            for (double dash : dashes) {
                tenths(tenths(dash));
                svg.append(' ');
            }
            svg.setLength(svg.length() - 1);
        }
        svg.append('"');
        path(outline);
    }

    @Override
    public void text(
            double x, double y, String text, double size, Anchor anchor, boolean upward, Ink ink) {
        svg.append("<text");
        if (upward) {
            svg.append(" transform=\"translate(");
            tenths(tenths(x));
            svg.append(' ');
            tenths(tenths(y));
            svg.append(") rotate(-90)\"");
        } else {
            svg.append(" x=\"");
            tenths(tenths(x));
            svg.append("\" y=\"");
            tenths(tenths(y));
            svg.append('"');
        }
        svg.append(" font-size=\"");
        tenths(tenths(size));
        svg.append('"');
        if (text.length() > 1) {
            svg.append(" textLength=\"");
            tenths(tenths(font.width(text, size)));
            svg.append("\" lengthAdjust=\"spacingAndGlyphs\"");
        }
        if (anchor != Anchor.START) {
            svg.append(" text-anchor=\"").append(anchor.svg()).append('"');
        }
        svg.append(" fill=\"").append(colour(ink)).append("\">");
        svg.append(escaped(text)).append("</text>\n");
    }

    private void path(Outline outline) {
        svg.append(" d=\"");
        outline.draw(new Steps());
        svg.append("\"/>\n");
    }

    private void opacity(String name, Ink ink) {
        if (ink.opacity() < 1) {
            String value = String.format(Locale.ROOT, "%.2f", ink.opacity());
            svg.append(' ').append(name).append("=\"").append(value).append('"');
        }
    }

    private static String colour(Ink ink) {
        return String.format(Locale.ROOT, "#%06x", ink.rgb());
    }

    /**
     * Escapes text and attributes; what XML cannot hold was taken out when the text was made safe.
     */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static long tenths(double value) {
        return Math.round(Math.max(-1e6, Math.min(1e6, value)) * 10);
    }

    private void tenths(long value) {
        long whole = Math.abs(value) / 10;
        long rest = Math.abs(value) % 10;
        if (value < 0) {
            svg.append('-');
        }
        if (whole != 0 || rest == 0) {
            svg.append(whole);
        }
        if (rest != 0) {
            svg.append('.').append(rest);
        }
    }

    /** Writes steps between rounded points, so that errors do not add up. */
    private final class Steps implements Outline.Pen {
        private boolean first = true;
        private long startX;
        private long startY;
        private long atX;
        private long atY;

        @Override
        public void move(double x, double y) {
            startX = tenths(x);
            startY = tenths(y);
            step(first ? 'M' : 'm', startX, startY);
            first = false;
        }

        @Override
        public void line(double x, double y) {
            long toX = tenths(x);
            long toY = tenths(y);
            if (toY == atY) {
                svg.append('h');
                tenths(toX - atX);
            } else if (toX == atX) {
                svg.append('v');
                tenths(toY - atY);
            } else {
                step('l', toX, toY);
            }
            atX = toX;
            atY = toY;
        }

        @Override
        public void close() {
            svg.append('z');
            atX = startX;
            atY = startY;
        }

        @Override
        public void rectangle(double x, double y, double width, double height) {
            move(x, y);
            line(x + width, y);
            line(x + width, y + height);
            line(x, y + height);
            close();
        }

        private void step(char verb, long x, long y) {
            svg.append(verb);
            tenths(x - atX);
            if (y - atY >= 0) {
                svg.append(' ');
            }
            tenths(y - atY);
            atX = x;
            atY = y;
        }
    }
}
