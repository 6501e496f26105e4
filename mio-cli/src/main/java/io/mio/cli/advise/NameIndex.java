package io.mio.cli.advise;

import io.mio.config.NamePattern;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the files that a template fits, without looking at all of them. */
final class NameIndex {
    private final List<FileProfile> byPath;
    private final List<FileProfile> byLeaf;

    NameIndex(List<FileProfile> files) {
        byPath = files.stream().sorted(Comparator.comparing(file -> file.path)).toList();
        byLeaf = files.stream().sorted(Comparator.comparing(file -> leaf(file.path))).toList();
    }

    static String leaf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** True if the template fits no files beside these. */
    boolean isOnly(String template, List<FileProfile> files) {
        boolean whole = template.indexOf('/') >= 0;
        List<FileProfile> sorted = whole ? byPath : byLeaf;
        NamePattern pattern = NamePattern.of(template);
        String head = head(template);
        boolean exact = head.length() == template.length();
        Set<FileProfile> own = new HashSet<>(files);
        for (int i = from(sorted, head, whole); i < sorted.size(); i++) {
            FileProfile file = sorted.get(i);
            String name = name(file, whole);
            if (exact ? !name.equals(head) : !name.startsWith(head)) {
                break;
            }
            if (!own.contains(file) && pattern.matches(file.path)) {
                return false;
            }
        }
        return true;
    }

    /** What a name that fits begins with. */
    private static String head(String template) {
        int at = 0;
        while (at < template.length() && "*?".indexOf(template.charAt(at)) < 0) {
            at++;
        }
        return template.substring(0, at);
    }

    private static String name(FileProfile file, boolean whole) {
        return whole ? file.path : leaf(file.path);
    }

    /** The first that is not less. */
    private static int from(List<FileProfile> sorted, String head, boolean whole) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (name(sorted.get(middle), whole).compareTo(head) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
