package io.mio.cli.plot.draw;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The font of pictures: widths and outlines of its characters, read from a TrueType file. Supports
 * as much of the format as a text font needs: characters by tables of format 4, outlines of simple
 * and composed glyphs. A character that the font lacks is shown as the font's empty box.
 */
final class TrueType {
    private static final String RESOURCE =
            "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

    /** Most levels of glyphs that are made of other glyphs. */
    private static final int DEPTH_MAX = 5;

    // Flags of a point.
    private static final int ON_CURVE = 1;
    private static final int X_SHORT = 2;
    private static final int Y_SHORT = 4;
    private static final int REPEAT = 8;
    private static final int X_SAME = 16;
    private static final int Y_SAME = 32;

    // Flags of a part.
    private static final int WORDS = 1;
    private static final int OFFSETS = 2;
    private static final int SCALE = 8;
    private static final int MORE = 32;
    private static final int TWO_SCALES = 64;
    private static final int MATRIX = 128;

    private static TrueType usual;

    private final ByteBuffer bytes;
    private final Map<String, Integer> tables = new HashMap<>();
    private final int unitsPerEm;
    private final boolean longPlaces;
    private final int glyphs;
    private final int widths;
    private final int characters;

    private TrueType(byte[] file) {
        bytes = ByteBuffer.wrap(file);
        int count = unsigned(4);
        for (int i = 0; i < count; i++) {
            int at = 12 + 16 * i;
            byte[] tag = new byte[4];
            bytes.get(at, tag);
            tables.put(new String(tag, StandardCharsets.US_ASCII), bytes.getInt(at + 8));
        }
        unitsPerEm = unsigned(table("head") + 18);
        longPlaces = unsigned(table("head") + 50) != 0;
        glyphs = unsigned(table("maxp") + 4);
        widths = unsigned(table("hhea") + 34);
        characters = characters();
    }

    /** Returns the font that comes with MIO. */
    static synchronized TrueType usual() {
        if (usual == null) {
            try (InputStream file = TrueType.class.getResourceAsStream(RESOURCE)) {
                if (file == null) {
                    throw new IllegalStateException(RESOURCE + " is missing");
                }
                usual = new TrueType(file.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return usual;
    }

    /** Returns the width of a text in a font of this size. */
    double width(String text, double size) {
        double units = 0;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            units += advance(glyph(point));
            at += Character.charCount(point);
        }
        return units * size / unitsPerEm;
    }

    /** Takes the outline of a text; y grows upward from the base line. */
    interface Pen {
        void move(double x, double y);

        void line(double x, double y);

        /** Draws a curve to (x, y), towards the control point on the way. */
        void curve(double controlX, double controlY, double x, double y);

        void close();
    }

    /** Draws a text that begins at (0, 0). */
    void draw(String text, double size, Pen pen) {
        double scale = size / unitsPerEm;
        double x = 0;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            int glyph = glyph(point);
            try {
                draw(glyph, new double[] {scale, 0, 0, scale, x, 0}, pen, 0);
            } catch (IndexOutOfBoundsException | BufferUnderflowException e) {
                throw new IllegalStateException("glyph " + glyph + " of " + RESOURCE, e);
            }
            x += advance(glyph) * scale;
            at += Character.charCount(point);
        }
    }

    private int table(String tag) {
        Integer at = tables.get(tag);
        if (at == null) {
            throw new IllegalStateException(RESOURCE + " has no table " + tag);
        }
        return at;
    }

    private int unsigned(int at) {
        return Short.toUnsignedInt(bytes.getShort(at));
    }

    private int advance(int glyph) {
        return unsigned(table("hmtx") + 4 * Math.min(glyph, widths - 1));
    }

    /** Returns the place of the table that maps 16-bit Unicode. */
    private int characters() {
        int cmap = table("cmap");
        for (int i = 0; i < unsigned(cmap + 2); i++) {
            int at = cmap + bytes.getInt(cmap + 4 + 8 * i + 4);
            int platform = unsigned(cmap + 4 + 8 * i);
            if (unsigned(at) == 4 && (platform == 0 || platform == 3)) {
                return at;
            }
        }
        throw new IllegalStateException(RESOURCE + " has no characters of Unicode");
    }

    private int glyph(int point) {
        int twice = unsigned(characters + 6);
        int ends = characters + 14;
        for (int i = 0; point <= 0xffff && i < twice; i += 2) {
            if (point > unsigned(ends + i)) {
                continue;
            }
            int start = unsigned(ends + 2 + twice + i);
            int delta = unsigned(ends + 2 + 2 * twice + i);
            int rangeAt = ends + 2 + 3 * twice + i;
            int range = unsigned(rangeAt);
            if (point < start) {
                return 0;
            }
            if (range == 0) {
                return point + delta & 0xffff;
            }
            int glyph = unsigned(rangeAt + range + 2 * (point - start));
            return glyph == 0 ? 0 : glyph + delta & 0xffff;
        }
        return 0;
    }

    private int place(int glyph) {
        int loca = table("loca");
        return table("glyf")
                + (longPlaces ? bytes.getInt(loca + 4 * glyph) : 2 * unsigned(loca + 2 * glyph));
    }

    /**
     * Draws a glyph.
     *
     * @param m x' = m0 x + m2 y + m4, y' = m1 x + m3 y + m5
     */
    private void draw(int glyph, double[] m, Pen pen, int depth) {
        if (glyph >= glyphs || depth > DEPTH_MAX || place(glyph) == place(glyph + 1)) {
            return;
        }
        ByteBuffer in = bytes.duplicate().position(place(glyph));
        int contours = in.getShort();
        in.position(in.position() + 8);
        if (contours >= 0) {
            simple(in, contours, m, pen);
        } else {
            composed(in, m, pen, depth);
        }
    }

    private void composed(ByteBuffer in, double[] m, Pen pen, int depth) {
        int flags;
        do {
            flags = in.getShort();
            int part = Short.toUnsignedInt(in.getShort());
            double dx = (flags & WORDS) != 0 ? in.getShort() : in.get();
            double dy = (flags & WORDS) != 0 ? in.getShort() : in.get();
            if ((flags & OFFSETS) == 0) {
                // Parts placed by points that are to meet: no text font of today does that.
                dx = 0;
                dy = 0;
            }
            double[] own = {1, 0, 0, 1};
            if ((flags & SCALE) != 0) {
                own[0] = fraction(in);
                own[3] = own[0];
            } else if ((flags & TWO_SCALES) != 0) {
                own[0] = fraction(in);
                own[3] = fraction(in);
            } else if ((flags & MATRIX) != 0) {
                for (int i = 0; i < 4; i++) {
                    own[i] = fraction(in);
                }
            }
            draw(
                    part,
                    new double[] {
                        m[0] * own[0] + m[2] * own[1],
                        m[1] * own[0] + m[3] * own[1],
                        m[0] * own[2] + m[2] * own[3],
                        m[1] * own[2] + m[3] * own[3],
                        m[0] * dx + m[2] * dy + m[4],
                        m[1] * dx + m[3] * dy + m[5]
                    },
                    pen,
                    depth + 1);
        } while ((flags & MORE) != 0);
    }

    private static double fraction(ByteBuffer in) {
        return in.getShort() / 16384.0;
    }

    private static void simple(ByteBuffer in, int contours, double[] m, Pen pen) {
        int[] ends = new int[contours];
        for (int i = 0; i < contours; i++) {
            ends[i] = Short.toUnsignedInt(in.getShort());
        }
        int points = contours == 0 ? 0 : ends[contours - 1] + 1;
        in.position(in.position() + 2 + Short.toUnsignedInt(in.getShort(in.position())));
        int[] flags = new int[points];
        for (int i = 0; i < points; i++) {
            flags[i] = Byte.toUnsignedInt(in.get());
            if ((flags[i] & REPEAT) != 0) {
                int again = Byte.toUnsignedInt(in.get());
                for (int k = 0; k < again; k++) {
                    i++;
                    flags[i] = flags[i - 1];
                }
            }
        }
        int[] xs = coordinates(in, flags, X_SHORT, X_SAME);
        int[] ys = coordinates(in, flags, Y_SHORT, Y_SAME);
        for (int i = 0, from = 0; i < contours; from = ends[i] + 1, i++) {
            contour(flags, xs, ys, from, ends[i] + 1 - from, m, pen);
        }
    }

    private static int[] coordinates(ByteBuffer in, int[] flags, int isShort, int isSame) {
        int[] values = new int[flags.length];
        int value = 0;
        for (int i = 0; i < flags.length; i++) {
            if ((flags[i] & isShort) != 0) {
                int step = Byte.toUnsignedInt(in.get());
                value += (flags[i] & isSame) != 0 ? step : -step;
            } else if ((flags[i] & isSame) == 0) {
                value += in.getShort();
            }
            values[i] = value;
        }
        return values;
    }

    /**
     * Draws a contour. Between two control points in a row lies a point of the curve, in their
     * middle.
     */
    private static void contour(
            int[] flags, int[] xs, int[] ys, int from, int count, double[] m, Pen pen) {
        if (count < 2) {
            return;
        }
        int first = from;
        while (first < from + count && (flags[first] & ON_CURVE) == 0) {
            first++;
        }
        boolean none = first == from + count;
        first = none ? from : first;
        double startX = none ? (xs[from] + xs[from + count - 1]) / 2.0 : xs[first];
        double startY = none ? (ys[from] + ys[from + count - 1]) / 2.0 : ys[first];
        pen.move(x(m, startX, startY), y(m, startX, startY));
        boolean pending = false;
        double controlX = 0;
        double controlY = 0;
        for (int k = none ? 0 : 1; k <= count; k++) {
            int i = from + (first - from + k) % count;
            boolean last = k == count;
            double px = last ? startX : xs[i];
            double py = last ? startY : ys[i];
            boolean on = last || (flags[i] & ON_CURVE) != 0;
            if (!pending && on) {
                pen.line(x(m, px, py), y(m, px, py));
            } else if (pending) {
                double x = on ? px : (controlX + px) / 2;
                double y = on ? py : (controlY + py) / 2;
                pen.curve(
                        x(m, controlX, controlY), y(m, controlX, controlY), x(m, x, y), y(m, x, y));
            }
            pending = !on;
            controlX = px;
            controlY = py;
        }
        pen.close();
    }

    private static double x(double[] m, double x, double y) {
        return m[0] * x + m[2] * y + m[4];
    }

    private static double y(double[] m, double x, double y) {
        return m[1] * x + m[3] * y + m[5];
    }
}
