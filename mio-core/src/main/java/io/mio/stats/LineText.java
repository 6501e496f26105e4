package io.mio.stats;

/** Writes file names into reports that are read line by line. */
public final class LineText {
    private LineText() {}

    /**
     * Returns the name on one line: a control character is written as a backslash and three octal
     * digits, as {@code ls -b} and {@code /proc/mounts} do, so that no name can end a line of a
     * report and begin one of its own.
     */
    public static String of(String name) {
        int i = 0;
        while (i < name.length() && !isControl(name.charAt(i))) {
            i++;
        }
        if (i == name.length()) {
            return name;
        }
        StringBuilder out = new StringBuilder(name.length() + 16);
        for (i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (isControl(c)) {
                out.append('\\').append(digit(c >> 6)).append(digit(c >> 3)).append(digit(c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static boolean isControl(char c) {
        return c < ' ' || c == 0x7f;
    }

    private static char digit(int value) {
        return (char) ('0' + (value & 7));
    }
}
