package io.mio.live;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Types of file systems by device, as this process sees them mounted. */
final class MountedDevices {
    private static final int ENTRIES_MAX = 65536;
    private static final String UNKNOWN = "unknown";
    private static Map<Long, String> types = new HashMap<>();

    private MountedDevices() {}

    /** Type of the file system with that device number, or {@code unknown}. */
    static synchronized String type(long device) {
        if (device == 0) {
            return UNKNOWN;
        }
        String type = types.get(device);
        if (type == null) {
            // A device mounted out of sight stays unknown, so that it is not looked for again.
            Map<Long, String> found = mounted();
            types.forEach((known, was) -> found.putIfAbsent(known, UNKNOWN));
            type = found.computeIfAbsent(device, any -> UNKNOWN);
            types = found;
        }
        return type;
    }

    private static Map<Long, String> mounted() {
        Map<Long, String> found = new HashMap<>();
        try (InputStream in = new FileInputStream("/proc/self/mountinfo");
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(in, StandardCharsets.ISO_8859_1))) {
            String line = lines.readLine();
            while (line != null && found.size() < ENTRIES_MAX) {
                add(line, found);
                line = lines.readLine();
            }
        } catch (IOException | RuntimeException e) {
            return found;
        }
        return found;
    }

    /** Adds a line {@code ID PARENT MAJOR:MINOR ROOT PLACE OPTIONS... - TYPE SOURCE ...}. */
    private static void add(String line, Map<Long, String> found) {
        int end = line.indexOf(" - ");
        String[] fields = line.split(" ");
        int colon = fields.length > 2 ? fields[2].indexOf(':') : -1;
        if (end < 0 || colon < 0) {
            return;
        }
        long major = Long.parseLong(fields[2].substring(0, colon));
        long minor = Long.parseLong(fields[2].substring(colon + 1));
        found.put(number(major, minor), line.substring(end + 3).split(" ")[0]);
    }

    /** Combines the two numbers as the C library does. */
    private static long number(long major, long minor) {
        return (minor & 0xff)
                | (major & 0xfff) << 8
                | (minor & ~0xffL) << 12
                | (major & ~0xfffL) << 32;
    }
}
