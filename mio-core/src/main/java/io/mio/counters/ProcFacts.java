package io.mio.counters;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What /proc tells of a process. Uses streams, which do not ask the default file system. */
public final class ProcFacts {
    private static final int BYTES_MAX = 16384;

    /** Fields of /proc/PID/stat, counted from the first one behind the name, which is field 3. */
    private static final int STATE = 0;

    private static final int START_TIME = 22 - 3;
    private static final int STACK_BEGIN = 28 - 3;

    private static final String LONGEST_FILE = "Max file size";

    /** Tells a process from others that have, or had, its number. */
    public record Identity(long pid, long startTime, long stackBegin) {}

    private ProcFacts() {}

    /** Effective user id of this process, or -1. */
    public static long user() {
        for (String line : read("/proc/self/status").split("\n")) {
            String[] words = line.split("\\s+");
            if (words.length > 2 && words[0].equals("Uid:")) {
                return number(words[2]);
            }
        }
        return -1;
    }

    /**
     * Longest that this process may make a file (RLIMIT_FSIZE), bytes; {@link Long#MAX_VALUE} where
     * there is no limit, or none is told.
     */
    public static long longestFile() {
        for (String line : read("/proc/self/limits").split("\n")) {
            if (line.startsWith(LONGEST_FILE)) {
                long bytes = number(line.substring(LONGEST_FILE.length()).strip().split(" ")[0]);
                return bytes < 0 ? Long.MAX_VALUE : bytes;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Identity of the live process of that number, or of {@code self}; null if there is none. */
    public static Identity identity(String pid) {
        String line = read("/proc/" + pid + "/stat");
        // The name may hold anything, a bracket too.
        String[] fields = line.substring(line.lastIndexOf(')') + 1).trim().split(" ");
        if (fields.length <= STACK_BEGIN
                || fields[STATE].equals("Z")
                || fields[STATE].equals("X")) {
            return null;
        }
        return new Identity(
                number(line.substring(0, line.indexOf(' '))),
                number(fields[START_TIME]),
                number(fields[STACK_BEGIN]));
    }

    private static long number(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static String read(String path) {
        try (InputStream in = new FileInputStream(path)) {
            return new String(in.readNBytes(BYTES_MAX), StandardCharsets.ISO_8859_1);
        } catch (IOException | SecurityException e) {
            return "";
        }
    }
}
