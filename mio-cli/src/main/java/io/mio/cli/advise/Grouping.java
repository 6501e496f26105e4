package io.mio.cli.advise;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Groups files whose names one template can stand for: pure. A group has three or more files of one
 * directory that are used alike. Their names differ in their numbers, or in what follows a long
 * common beginning ({@code sortQ3xZ1p}), or have the same extension. The template is the last
 * component of the name, unless it would match files elsewhere, too. Where it would match any other
 * file even with its directory, the files are named one by one.
 */
final class Grouping {
    private static final int ALIKE_MIN = 3;
    private static final int NAMES_MAX = 64;
    private static final int BEGIN_MIN = 3;
    private static final double BEGIN_SHARE = 0.35;

    private Grouping() {}

    /**
     * @param paths of all files that names must not match by accident; may include {@code files}
     */
    static List<Group> of(List<FileProfile> files, Collection<String> paths) {
        List<List<FileProfile>> sets = new ArrayList<>();
        Map<String, List<FileProfile>> byPlace = new LinkedHashMap<>();
        for (FileProfile file : files) {
            byPlace.computeIfAbsent(
                            directory(file.path) + '\n' + use(file), any -> new ArrayList<>())
                    .add(file);
        }
        for (List<FileProfile> place : byPlace.values()) {
            sets.addAll(alike(place));
        }
        Map<Object, Group> groups = new LinkedHashMap<>();
        Set<String> known = new TreeSet<>(paths);
        files.forEach(file -> known.add(file.path));
        NameIndex all = new NameIndex(known);
        for (List<FileProfile> set : sets) {
            Group next = group(set, all);
            groups.merge(next.isNamed() ? next.names() : next, next, Grouping::together);
        }
        return new ArrayList<>(groups.values());
    }

    /** What is done with a file: files with the same are used alike. */
    private static String use(FileProfile file) {
        return file.access()
                + " "
                + file.mostly()
                + file.writtenElsewhere
                + file.uncached
                + file.isUntold();
    }

    /** Two groups with the same names: other names of the same files, or names nobody can tell. */
    private static Group together(Group one, Group two) {
        List<FileProfile> files = new ArrayList<>(one.files());
        files.addAll(two.files());
        FileProfile sum = new FileProfile(one.sum().path);
        boolean same =
                two.files().stream()
                        .anyMatch(file -> file.aliases.stream().anyMatch(one.files()::contains));
        sum.files =
                same
                        ? Math.max(one.sum().files, two.sum().files)
                        : one.sum().files + two.sum().files;
        sum.add(one.sum());
        sum.add(two.sum());
        return new Group(one.names(), files, sum, null);
    }

    private static Collection<List<FileProfile>> alike(List<FileProfile> place) {
        List<List<FileProfile>> found = new ArrayList<>();
        List<FileProfile> rest =
                take(place, file -> leaf(file.path).replaceAll("\\d+", "0"), found);
        rest = byBeginning(rest, found);
        rest = take(rest, file -> extension(leaf(file.path)), found);
        for (FileProfile single : rest) {
            found.add(List.of(single));
        }
        return found;
    }

    /**
     * Moves files to {@code found} that have a key in common with enough others; returns the rest.
     */
    private static List<FileProfile> take(
            List<FileProfile> from,
            Function<FileProfile, String> key,
            List<List<FileProfile>> found) {
        Map<String, List<FileProfile>> sets = new LinkedHashMap<>();
        from.forEach(
                file -> sets.computeIfAbsent(key.apply(file), any -> new ArrayList<>()).add(file));
        List<FileProfile> rest = new ArrayList<>();
        sets.forEach(
                (name, set) -> {
                    if (set.size() >= ALIKE_MIN && !name.isEmpty()) {
                        found.add(set);
                    } else {
                        rest.addAll(set);
                    }
                });
        return rest;
    }

    /**
     * Moves neighbours in the order of names to {@code found} whose names have one length and a
     * long beginning in common; returns the rest.
     */
    private static List<FileProfile> byBeginning(
            List<FileProfile> from, List<List<FileProfile>> found) {
        // Two files of a report may have the same path, as far as it can be told.
        List<FileProfile> sorted = new ArrayList<>(from);
        sorted.sort(Comparator.comparing(file -> file.path));
        List<FileProfile> rest = new ArrayList<>();
        List<FileProfile> run = new ArrayList<>();
        for (FileProfile file : sorted) {
            if (!run.isEmpty() && !isLike(leaf(run.get(0).path), leaf(file.path))) {
                end(run, found, rest);
                run = new ArrayList<>();
            }
            run.add(file);
        }
        end(run, found, rest);
        return rest;
    }

    private static void end(
            List<FileProfile> run, List<List<FileProfile>> found, List<FileProfile> rest) {
        if (run.size() >= ALIKE_MIN) {
            found.add(run);
        } else {
            rest.addAll(run);
        }
    }

    private static boolean isLike(String one, String two) {
        int common = common(one, two);
        return one.length() == two.length()
                && common >= BEGIN_MIN
                && common >= BEGIN_SHARE * one.length();
    }

    private static Group group(List<FileProfile> set, NameIndex all) {
        FileProfile sum = set.get(0);
        if (set.size() > 1) {
            sum = new FileProfile(directory(set.get(0).path));
            sum.files = set.size();
            set.forEach(sum::add);
        }
        return named(set, sum, all);
    }

    /**
     * The group under the shortest names that match no other file: a template, or one with its
     * directory, or the name of each file.
     */
    private static Group named(List<FileProfile> set, FileProfile sum, NameIndex all) {
        Set<String> own = new HashSet<>();
        for (FileProfile file : set) {
            own.add(file.path);
            for (FileProfile alias : file.aliases) {
                if (use(alias).equals(use(file))) {
                    own.add(alias.path);
                }
            }
        }
        String template = template(set);
        String name = Typable.of(template);
        boolean anything = !name.equals(template) && name.matches("[*?]+");
        if (!anything && all.other(name, own) == null) {
            return new Group(List.of(name), set, sum, null);
        }
        String whole = Typable.of(directory(set.get(0).path) + template);
        String other = all.other(whole, own);
        if (other == null || set.size() > NAMES_MAX) {
            return new Group(List.of(whole), set, sum, other);
        }
        List<String> names = set.stream().map(file -> Typable.of(file.path)).toList();
        other = null;
        for (String each : names) {
            other = other == null ? all.other(each, own) : other;
        }
        return new Group(names, set, sum, other);
    }

    /** The beginning and the end that all names have in common, and a star between them. */
    private static String template(List<FileProfile> set) {
        String first = leaf(set.get(0).path);
        if (set.size() == 1) {
            return first;
        }
        int begin = first.length();
        int end = first.length();
        int shortest = first.length();
        for (FileProfile file : set) {
            String leaf = leaf(file.path);
            shortest = Math.min(shortest, leaf.length());
            begin = Math.min(begin, common(first, leaf));
            end = Math.min(end, commonEnd(first, leaf));
        }
        // Digits at the end of the beginning are dropped: the number may be longer in another name.
        while (begin > 0 && Character.isDigit(first.charAt(begin - 1))) {
            begin--;
        }
        // Where the names differ in an extension that counts (aa, ab), its letters are common only
        // by chance.
        int dot = begin == 0 ? -1 : first.lastIndexOf('.', begin - 1);
        if (dot > 0 && set.stream().allMatch(file -> leaf(file.path).lastIndexOf('.') == dot)) {
            begin = dot + 1;
        }
        end = Math.min(end, shortest - begin);
        String tail = first.substring(first.length() - end);
        return first.substring(0, begin) + '*' + tail.substring(tailStart(tail));
    }

    /**
     * Start of the tail without what names share by chance: the first character that is no letter
     * or digit, such as the dot of an extension.
     */
    private static int tailStart(String tail) {
        int at = 0;
        while (at < tail.length() && Character.isLetterOrDigit(tail.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int common(String one, String two) {
        int at = 0;
        while (at < one.length() && at < two.length() && one.charAt(at) == two.charAt(at)) {
            at++;
        }
        return at;
    }

    private static int commonEnd(String one, String two) {
        int at = 0;
        while (at < one.length()
                && at < two.length()
                && one.charAt(one.length() - 1 - at) == two.charAt(two.length() - 1 - at)) {
            at++;
        }
        return at;
    }

    private static String directory(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    private static String leaf(String path) {
        return NameIndex.leaf(path);
    }

    private static String extension(String leaf) {
        int dot = leaf.lastIndexOf('.');
        return dot <= 0 ? "" : leaf.substring(dot);
    }
}
