package io.mio.info;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the kernel's files below {@code /proc} and {@code /sys}. Uses {@code java.io}, which does
 * not pass through MIO. What cannot be read is null: a container may hide any of these files.
 */
final class SystemFiles {
    /** Note on what a missing file would have told. */
    static final String UNTOLD = "the system does not tell";

    private static final int MOST_BYTES = 1 << 20;

    private final File root;

    /**
     * @param root {@code /}, or where tests have made such files
     */
    SystemFiles(File root) {
        this.root = root;
    }

    /** Returns the content without blanks around it; null if it cannot be read or is empty. */
    String text(String path) {
        try (InputStream in = new FileInputStream(new File(root, path))) {
            String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the lines; none if the file cannot be read. */
    List<String> lines(String path) {
        String text = text(path);
        return text == null ? List.of() : text.lines().toList();
    }

    /** Returns the number that the file begins with; null if there is none. */
    Long number(String path) {
        return numberOf(text(path));
    }

    /** Returns the number a text begins with; null if there is none, or it is too large. */
    static Long numberOf(String text) {
        if (text == null) {
            return null;
        }
        int end = 0;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        try {
            return end == 0 ? null : Long.valueOf(text.substring(0, end));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the values of lines {@code name: value}. */
    Map<String, String> values(String path) {
        Map<String, String> values = new TreeMap<>();
        for (String line : lines(path)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
            }
        }
        return values;
    }

    /** Returns where a directory of links leads; null if it is not there. */
    String followed(String path) {
        File file = new File(root, path);
        try {
            return file.exists()
                    ? "/"
                            + root.getCanonicalFile()
                                    .toPath()
                                    .relativize(file.getCanonicalFile().toPath())
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    boolean exists(String path) {
        return new File(root, path).exists();
    }

    /** Returns the names in a directory, in order; none where it cannot be read. */
    List<String> names(String path) {
        String[] names = new File(root, path).list();
        return names == null ? List.of() : java.util.Arrays.stream(names).sorted().toList();
    }
}
