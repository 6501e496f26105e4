package io.mio.info;

import java.util.ArrayList;
import java.util.List;

/** The table {@code /proc/self/mountinfo}: tells which file system a name lies on. */
final class MountTable {
    private static final int FIELDS_BEFORE_DASH = 6;

    private final List<Mount> mounts = new ArrayList<>();

    /**
     * One line of the table.
     *
     * @param root the directory of the file system that is shown
     * @param options of the mount, then of the file system
     */
    record Mount(
            long major,
            long minor,
            String root,
            String point,
            String type,
            String source,
            List<String> options) {
        boolean has(String option) {
            return options.contains(option);
        }
    }

    static MountTable read(SystemFiles files) {
        MountTable table = new MountTable();
        for (String line : files.lines("/proc/self/mountinfo")) {
            Mount mount = mount(line.split(" ", -1));
            if (mount != null) {
                table.mounts.add(mount);
            }
        }
        return table;
    }

    private static Mount mount(String[] fields) {
        int dash = FIELDS_BEFORE_DASH;
        while (dash < fields.length && !fields[dash].equals("-")) {
            dash++;
        }
        if (dash + 3 >= fields.length) {
            return null;
        }
        String[] device = fields[2].split(":", -1);
        Long major = SystemFiles.numberOf(device[0]);
        Long minor = device.length == 2 ? SystemFiles.numberOf(device[1]) : null;
        if (major == null || minor == null) {
            return null;
        }
        List<String> options = new ArrayList<>(List.of(fields[5].split(",", -1)));
        options.addAll(List.of(fields[dash + 3].split(",", -1)));
        return new Mount(
                major,
                minor,
                unescaped(fields[3]),
                unescaped(fields[4]),
                fields[dash + 1],
                unescaped(fields[dash + 2]),
                options.stream().distinct().toList());
    }

    /**
     * Decodes a field: blanks, tabs, line ends and backslashes are written as a backslash and three
     * octal digits.
     */
    private static String unescaped(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c == '\\' && field.substring(i).matches("(?s)\\\\[0-3][0-7][0-7].*")) {
                plain.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    List<Mount> all() {
        return mounts;
    }

    /**
     * Returns the file system that shows a name; of several at one place the last, which hides the
     * others.
     *
     * @param path absolute, without links
     * @return null if the system does not tell
     */
    Mount of(String path) {
        Mount best = null;
        for (Mount mount : mounts) {
            if (covers(mount.point(), path)
                    && (best == null || mount.point().length() >= best.point().length())) {
                best = mount;
            }
        }
        return best;
    }

    private static boolean covers(String point, String path) {
        return point.equals("/")
                || path.equals(point)
                || path.startsWith(point) && path.charAt(point.length()) == '/';
    }
}
