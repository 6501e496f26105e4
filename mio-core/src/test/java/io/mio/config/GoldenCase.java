package io.mio.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One case of a golden file; the format is in {@code twin/config/README.md}. */
public record GoldenCase(String title, List<Line> lines) {
    /** One line of a case. */
    public record Line(String key, String value) {}

    /** All cases of {@code twin/config/<file>}. */
    static List<GoldenCase> read(String file) {
        return readTwin("config/" + file);
    }

    /** All cases of {@code twin/<file>}. */
    public static List<GoldenCase> readTwin(String file) {
        return parse(text("/twin/" + file));
    }

    /** The cases of a file with this text. */
    public static List<GoldenCase> parse(String text) {
        List<GoldenCase> cases = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (line.startsWith("== ")) {
                cases.add(new GoldenCase(line.substring(3), new ArrayList<>()));
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                int colon = line.indexOf(':');
                String value = line.substring(Math.min(colon + 2, line.length()));
                cases.get(cases.size() - 1)
                        .lines
                        .add(new Line(line.substring(0, colon), unescape(value)));
            }
        }
        return cases;
    }

    /** Value of the first line with this key, or "". */
    public String value(String key) {
        for (Line line : lines) {
            if (line.key.equals(key)) {
                return line.value;
            }
        }
        return "";
    }

    boolean has(String key) {
        return lines.stream().anyMatch(line -> line.key.equals(key));
    }

    private static String unescape(String value) {
        return value.replace("\\n", "\n").replace("\\t", "\t");
    }

    private static String text(String resource) {
        try (InputStream in = GoldenCase.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
