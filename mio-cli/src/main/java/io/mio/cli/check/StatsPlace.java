package io.mio.cli.check;

import io.mio.events.EventFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Tells whether a report, or events, can be written where a setting says. Only looks, and writes
 * nothing.
 */
final class StatsPlace {
    private StatsPlace() {}

    /**
     * Returns what is wrong with the place, or null. Relative names are taken from the current
     * directory.
     *
     * @param text of MIO_STATS or of an option {@code stats}
     */
    static String problem(String text) {
        String name = text.trim();
        if (name.startsWith("+")) {
            name = name.substring(1);
        }
        if (name.isEmpty()) {
            return "no name of a file is given behind '+'";
        }
        return name.equals("stdout") || name.equals("stderr") ? null : ofFile(name);
    }

    /**
     * Returns what is wrong with the place of a file of events, or null.
     *
     * @param text of an option {@code events}
     */
    static String eventsProblem(String text) {
        String problem = ofFile(text);
        Path file = problem == null ? Path.of(expand(text)) : null;
        if (problem != null || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return problem;
        }
        if (Files.isSymbolicLink(file)) {
            return "what is there is a symbolic link, and no events are written through one";
        }
        return isOfEvents(file) ? null : "what is there is no events file";
    }

    /**
     * Returns whether a run would replace this file, as it replaces the events file of another run.
     */
    private static boolean isOfEvents(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] begin = Arrays.copyOf(in.readNBytes(Long.BYTES), Long.BYTES);
            long magic = ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN).getLong();
            // Zeros begin a file that is not finished yet.
            return magic == EventFormat.MAGIC || magic == 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns what is wrong with a file that is to be written, or null. */
    private static String ofFile(String name) {
        Path file;
        try {
            file = Path.of(expand(name));
        } catch (InvalidPathException e) {
            return "this is no name of a file";
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            return "this is a directory";
        }
        if (Files.isDirectory(file)) {
            return "this is a directory; name a file in it";
        }
        // The name of the program that will run is not known here.
        if (directory.toString().contains("%x")) {
            return null;
        }
        if (!Files.exists(directory)) {
            return "there is no directory " + directory + "; make it";
        }
        if (!Files.isDirectory(directory)) {
            return directory + " is no directory";
        }
        if (Files.exists(file)) {
            return Files.isWritable(file) ? null : "the file is there and cannot be written";
        }
        return Files.isWritable(directory) ? null : "no file can be made in " + directory;
    }

    /** Expands a name as the run will do it, except for the program's name, which is left. */
    private static String expand(String name) {
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < name.length(); at++) {
            char c = name.charAt(at);
            char letter = at + 1 < name.length() ? name.charAt(at + 1) : 0;
            if (c == '%' && letter == 'p') {
                out.append(ProcessHandle.current().pid());
                at++;
            } else if (c == '%' && letter == 'h') {
                out.append(host());
                at++;
            } else if (c == '%' && letter == '%') {
                out.append('%');
                at++;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
