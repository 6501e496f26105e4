package io.mio.info;

import io.mio.info.Fact.Group;
import io.mio.info.Fact.Unit;
import java.util.Map;

/** Finds the memory, and the limits on it that a cache can meet. */
final class MemoryFacts {
    private static final int KB = 1024;

    /** From here on a number means no limit: cgroup v1 writes the largest number of pages. */
    private static final long NO_LIMIT = 1L << 60;

    private MemoryFacts() {}

    static void add(FactList facts, SystemFiles files, MountTable mounts) {
        Map<String, String> memory = files.values("/proc/meminfo");
        facts.group(Group.MEMORY)
                .number("memory_bytes", "memory", Unit.BYTES, bytes(memory, "MemTotal"))
                .number(
                        "available_bytes",
                        "available to programs",
                        Unit.BYTES,
                        bytes(memory, "MemAvailable"));
        addCgroup(facts, files, mounts);
        facts.text("transparent_huge_pages", "transparent huge pages", chosen(files))
                .number("huge_page_bytes", "huge page", Unit.BYTES, bytes(memory, "Hugepagesize"))
                .number(
                        "huge_pages_reserved",
                        "huge pages reserved",
                        Unit.COUNT,
                        SystemFiles.numberOf(memory.get("HugePages_Total")));
        addLimit(facts, files, "Max locked memory", "memlock_limit_bytes", "memlock limit");
        addLimit(facts, files, "Max open files", "descriptor_limit", "descriptor limit");
    }

    private static Long bytes(Map<String, String> memory, String name) {
        Long number = SystemFiles.numberOf(memory.get(name));
        return number == null ? null : number * KB;
    }

    /** Returns the word in brackets of {@code always [madvise] never}. */
    private static String chosen(SystemFiles files) {
        String words = files.text("/sys/kernel/mm/transparent_hugepage/enabled");
        int from = words == null ? -1 : words.indexOf('[');
        int to = from < 0 ? -1 : words.indexOf(']', from);
        return to < 0 ? null : words.substring(from + 1, to);
    }

    /** Adds a line of {@code /proc/self/limits}: name, soft, hard, unit, in columns of blanks. */
    private static void addLimit(
            FactList facts, SystemFiles files, String line, String name, String label) {
        Unit unit = name.endsWith("_bytes") ? Unit.BYTES : Unit.COUNT;
        for (String each : files.lines("/proc/self/limits")) {
            String[] words =
                    each.startsWith(line)
                            ? each.substring(line.length()).strip().split(" +")
                            : new String[0];
            Object soft = words.length < 2 ? null : limit(words[0]);
            if (soft != null) {
                String note = words[0].equals(words[1]) ? null : "can be raised to " + words[1];
                facts.limit(name, label, unit, soft, note);
                return;
            }
        }
        facts.limit(name, label, unit, null, SystemFiles.UNTOLD);
    }

    private static Object limit(String word) {
        return word.equals("unlimited") ? Fact.UNLIMITED : SystemFiles.numberOf(word);
    }

    /** Adds the memory control group: v1's own hierarchy if there is one, else the common one. */
    private static void addCgroup(FactList facts, SystemFiles files, MountTable mounts) {
        String one = null;
        String two = null;
        for (String line : files.lines("/proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && ("," + parts[1] + ",").contains(",memory,")) {
                one = parts[2];
            } else if (parts.length == 3 && parts[0].equals("0") && parts[1].isEmpty()) {
                two = parts[2];
            }
        }
        boolean old = one != null;
        String group = old ? one : two;
        String dir = group == null ? null : directory(mounts, old, group);
        String version = old ? "v1" : "v2";
        facts.text(
                "cgroup",
                "memory cgroup",
                dir == null ? null : version + " " + group,
                dir == null ? "none is seen" : null);
        if (dir == null) {
            facts.limit("cgroup_limit_bytes", "cgroup limit", Unit.BYTES, null, "none is seen");
            return;
        }
        addCgroup(facts, files, dir, old);
    }

    /** Adds the lowest limit; those of the groups around count as well. */
    private static void addCgroup(FactList facts, SystemFiles files, String dir, boolean old) {
        String limitName = old ? "/memory.limit_in_bytes" : "/memory.max";
        Long least = null;
        String where = null;
        boolean told = false;
        for (String at = dir; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
            String text = files.text(at + limitName);
            Long limit = SystemFiles.numberOf(text);
            told |= text != null;
            if (limit != null && limit < NO_LIMIT && (least == null || limit < least)) {
                least = limit;
                where = at;
            }
        }
        // The topmost group has no such file in v2: nothing limits it.
        boolean known = told || files.exists(dir);
        Object limit = least != null ? least : known ? Fact.UNLIMITED : null;
        String note = where != null && !where.equals(dir) ? "by " + where : null;
        facts.limit(
                "cgroup_limit_bytes",
                "cgroup limit",
                Unit.BYTES,
                limit,
                limit == null ? SystemFiles.UNTOLD : note);
        if (least != null) {
            Long used = files.number(where + (old ? "/memory.usage_in_bytes" : "/memory.current"));
            facts.number("cgroup_used_bytes", "cgroup use, page cache too", Unit.BYTES, used);
        }
    }

    private static String directory(MountTable mounts, boolean old, String group) {
        for (MountTable.Mount mount : mounts.all()) {
            if (old
                    ? mount.type().equals("cgroup") && mount.has("memory")
                    : mount.type().equals("cgroup2")) {
                // In a container the mount may show only a part, and the group's name all of it.
                String root = mount.root().equals("/") ? "" : mount.root();
                String below = group.startsWith(root) ? group.substring(root.length()) : "";
                return mount.point() + (below.equals("/") ? "" : below);
            }
        }
        return null;
    }
}
