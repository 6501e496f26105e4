package io.mio.stats;

import java.io.File;
import java.io.IOException;

/**
 * Tells a person where the report is once the program has ended. For {@code mio run}, which sets
 * {@code MIO_HINT} to the number of the process that it becomes.
 */
final class ReportHint {
    private static final String VARIABLE = "MIO_HINT";

    /** {@code PROCESS DOOR FILE}: events asked for in FILE; DOOR says if there are none. */
    private static final String EVENTS_VARIABLE = "MIO_HINT_EVENTS";

    private static final String DOOR = " jvm ";

    /** Standard error, by a name that the kernel gives it. */
    private static final File STANDARD_ERROR = new File("/proc/self/fd/2");

    private ReportHint() {}

    /** Writes the line, if this process is meant, has written a report, and a person sees it. */
    static void show() {
        try {
            showNoEvents();
            showReport();
        } catch (SecurityException e) {
            // Under a security manager MIO may not find out whether this process is meant.
            return;
        }
    }

    private static void showReport() {
        if (!isFor(System.getenv(VARIABLE), ProcessFacts.pid())) {
            return;
        }
        String path = StatsFile.written();
        if (path != null && isTerminal()) {
            HostLine.write(text(path));
        }
    }

    /** Whether it may have to say that there are no events, even if no file is opened. */
    static boolean isWatching() {
        String value = System.getenv(EVENTS_VARIABLE);
        return value != null && value.contains(DOOR);
    }

    /** {@code mio run} has removed the file of a former run: if there is none, none was made. */
    private static void showNoEvents() {
        String path = eventsFile(System.getenv(EVENTS_VARIABLE), ProcessFacts.pid());
        if (path != null && !new File(path).exists()) {
            HostLine.write(noEvents(path));
        }
    }

    /** Returns the events file; null if this process, or this door, is not meant. */
    static String eventsFile(String value, long pid) {
        String begin = pid + DOOR;
        return value != null && value.startsWith(begin) ? value.substring(begin.length()) : null;
    }

    static String noEvents(String path) {
        return "no file that is traced was opened: there are no events, and "
                + LineText.of(path)
                + " was not made";
    }

    static boolean isFor(String value, long pid) {
        return value != null && value.equals(Long.toString(pid));
    }

    /** Returns the line without its beginning; the second name is as a shell reads it. */
    static String text(String path) {
        String shown = LineText.of(path);
        String typed = isPlain(path) ? path : "'" + shown.replace("'", "'\\''") + "'";
        return "report in " + shown + "; look at it with: mio stats " + typed;
    }

    private static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean plain =
                    (c >= '0' && c <= '9')
                            || (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || c >= 0x80
                            || "/._+@%=,-".indexOf(c) >= 0;
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is a terminal, by its name: Java has no call that tells. */
    private static boolean isTerminal() {
        try {
            String name = STANDARD_ERROR.getCanonicalPath();
            return name.startsWith("/dev/pts/")
                    || name.startsWith("/dev/tty")
                    || name.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }
}
