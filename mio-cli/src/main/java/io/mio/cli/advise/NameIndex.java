package io.mio.cli.advise;

import io.mio.config.NamePattern;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Finds the files that a template matches, without looking at all files. */
final class NameIndex {
    private final List<String> byPath;
    private final List<String> byLeaf;

    /**
     * @param paths of all files, each once
     */
    NameIndex(Collection<String> paths) {
        byPath = paths.stream().sorted().toList();
        byLeaf = paths.stream().sorted(Comparator.comparing(NameIndex::leaf)).toList();
    }

    static String leaf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** A file that the template matches and that is none of {@code own}; null if there is none. */
    String other(String template, Set<String> own) {
        boolean whole = template.indexOf('/') >= 0;
        List<String> sorted = whole ? byPath : byLeaf;
        NamePattern pattern = NamePattern.of(template);
        String head = head(template);
        boolean exact = head.length() == template.length();
        for (int i = from(sorted, head, whole); i < sorted.size(); i++) {
            String path = sorted.get(i);
            String name = name(path, whole);
            if (exact ? !name.equals(head) : !name.startsWith(head)) {
                break;
            }
            if (!own.contains(path) && pattern.matches(path)) {
                return path;
            }
        }
        return null;
    }

    /** The beginning that every name has that the template matches. */
    private static String head(String template) {
        int at = 0;
        while (at < template.length() && "*?".indexOf(template.charAt(at)) < 0) {
            at++;
        }
        return template.substring(0, at);
    }

    private static String name(String path, boolean whole) {
        return whole ? path : leaf(path);
    }

    /** Index of the first name that is not less than {@code head}. */
    private static int from(List<String> sorted, String head, boolean whole) {
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
