package io.mio.events;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The golden case that both doors write and the reader reads. */
public final class GoldenEvents {
    private GoldenEvents() {}

    /** The lines of {@code calls.txt}. */
    public static List<String> calls() throws IOException {
        return text("calls.txt").lines().toList();
    }

    /** The text of {@code calls.hex}. */
    public static String hex() throws IOException {
        return text("calls.hex");
    }

    /** The lines of {@code space.txt}. */
    public static List<String> space() throws IOException {
        return text("space.txt").lines().toList();
    }

    /** The file that {@code calls.hex} shows. */
    public static byte[] bytes() throws IOException {
        List<String> lines = hex().lines().toList();
        byte[] bytes = new byte[Integer.parseInt(lines.get(lines.size() - 1), 16)];
        for (String line : lines.subList(0, lines.size() - 1)) {
            int at = Integer.parseInt(line.substring(0, 8), 16);
            String[] values = line.substring(10).split(" ");
            for (int i = 0; i < values.length; i++) {
                bytes[at + i] = (byte) Integer.parseInt(values[i], 16);
            }
        }
        return bytes;
    }

    /** Shows any bytes in the form of {@code calls.hex}. */
    public static String hex(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < bytes.length; at += 16) {
            boolean empty = true;
            StringBuilder line = new StringBuilder(String.format("%08x:", at));
            for (int i = at; i < at + 16; i++) {
                empty &= bytes[i] == 0;
                line.append(String.format(" %02x", bytes[i]));
            }
            if (!empty) {
                out.append(line).append('\n');
            }
        }
        return out.append(String.format("%08x%n", bytes.length)).toString();
    }

    private static String text(String name) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = GoldenEvents.class.getResourceAsStream("/twin/events/" + name)) {
            in.transferTo(out);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
