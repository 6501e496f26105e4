package io.mio.stats;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A golden case: a text of named parts, each begun by a line {@code --- name}. */
public final class TwinFile {
    private final Map<String, String> parts = new LinkedHashMap<>();

    private TwinFile(String text) {
        String part = null;
        StringBuilder content = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            if (line.startsWith("--- ")) {
                if (part != null) {
                    parts.put(part, content.toString());
                }
                part = line.substring(4);
                content.setLength(0);
            } else {
                content.append(line).append('\n');
            }
        }
        // The last line end begins an empty line, which is not part of the text.
        parts.put(part, content.substring(0, content.length() - 1));
    }

    /** Reads the case in {@code src/test/resources/twin/NAME}. */
    public static TwinFile read(String name) {
        try (InputStream in = TwinFile.class.getResourceAsStream("/twin/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("no golden case twin/" + name);
            }
            return new TwinFile(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the text of a part. */
    public String part(String name) {
        String part = parts.get(name);
        if (part == null) {
            throw new IllegalArgumentException("no part " + name + " in " + parts.keySet());
        }
        return part;
    }

    /** Returns the {@code key: value} lines of a part, less the one blank after each colon. */
    public Map<String, String> values(String name) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : part(name).split("\n")) {
            int colon = line.indexOf(':');
            String value = line.substring(colon + 1);
            values.put(
                    line.substring(0, colon), value.startsWith(" ") ? value.substring(1) : value);
        }
        return values;
    }
}
