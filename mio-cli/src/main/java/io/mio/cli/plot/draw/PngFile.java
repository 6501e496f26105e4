package io.mio.cli.plot.draw;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes PNG with eight bits each of red, green and blue. */
final class PngFile {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    private static final int RGB = 2;

    /** Filter that stores each byte as its difference from the one above. */
    private static final int UP = 2;

    /** Pixels in a meter, for 96 in an inch. */
    private static final int PER_METER = 3780;

    private PngFile() {}

    /**
     * Writes a picture; the stream stays open.
     *
     * @param rgb one number for each pixel, row by row
     * @param density pixels in place of each single one, in both directions
     */
    static void write(int[] rgb, int width, int height, int density, OutputStream out)
            throws IOException {
        DataOutputStream data = new DataOutputStream(out);
        data.write(SIGNATURE);
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(head);
        fields.writeInt(width);
        fields.writeInt(height);
        fields.write(new byte[] {8, RGB, 0, 0, 0});
        chunk(data, "IHDR", head.toByteArray());
        ByteArrayOutputStream size = new ByteArrayOutputStream();
        fields = new DataOutputStream(size);
        fields.writeInt(PER_METER * density);
        fields.writeInt(PER_METER * density);
        fields.write(1);
        chunk(data, "pHYs", size.toByteArray());
        chunk(data, "IDAT", packed(rgb, width, height));
        chunk(data, "IEND", new byte[0]);
        data.flush();
    }

    private static byte[] packed(int[] rgb, int width, int height) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
            byte[] row = new byte[1 + 3 * width];
            row[0] = UP;
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    int pixel = rgb[y * width + x];
                    int above = y == 0 ? 0 : rgb[(y - 1) * width + x];
                    row[1 + 3 * x] = (byte) ((pixel >> 16) - (above >> 16));
                    row[2 + 3 * x] = (byte) ((pixel >> 8) - (above >> 8));
                    row[3 + 3 * x] = (byte) (pixel - above);
                }
                out.write(row);
            }
        } finally {
            deflater.end();
        }
        return packed.toByteArray();
    }

    private static void chunk(DataOutputStream out, String type, byte[] content)
            throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(content);
        out.writeInt(content.length);
        out.write(name);
        out.write(content);
        out.writeInt((int) sum.getValue());
    }
}
