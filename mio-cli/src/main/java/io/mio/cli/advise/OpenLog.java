package io.mio.cli.advise;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens and closes in the order in which they came. They tell how many opens a group of files has
 * at the same time in one process: these share the group's cache.
 */
final class OpenLog {
    private final Map<FileProfile, Integer> numbers = new HashMap<>();
    private final Map<Long, Integer> processes = new HashMap<>();
    private int processesSeen;

    /**
     * Two numbers for each entry: twice the number of the file, plus one for a close; and the
     * number of the process.
     */
    private int[] entries = new int[64];

    private int used;

    void opened(FileProfile file, long process) {
        add(file, process, 0);
    }

    void closed(FileProfile file, long process) {
        add(file, process, 1);
    }

    private void add(FileProfile file, long process, int closed) {
        if (used == entries.length) {
            entries = Arrays.copyOf(entries, 2 * used);
        }
        int number = numbers.computeIfAbsent(file, any -> numbers.size());
        entries[used++] = 2 * number + closed;
        entries[used++] = processes.computeIfAbsent(process, any -> processesSeen++);
    }

    /** What follows is of other processes, even if they have the same numbers. */
    void nextRecording() {
        processes.clear();
    }

    /** Sets {@link FileProfile#openMost} of each group. */
    void count(List<Group> groups) {
        int[] groupOf = new int[numbers.size()];
        for (int i = 0; i < groups.size(); i++) {
            for (FileProfile file : groups.get(i).files()) {
                Integer number = numbers.get(file);
                if (number != null) {
                    groupOf[number] = i;
                }
            }
        }
        Map<Long, Integer> open = new HashMap<>();
        for (int i = 0; i < used; i += 2) {
            int group = groupOf[entries[i] / 2];
            int change = entries[i] % 2 == 0 ? 1 : -1;
            int now =
                    open.merge(
                            (long) group << Integer.SIZE | entries[i + 1],
                            Math.max(0, change),
                            (before, any) -> Math.max(0, before + change));
            FileProfile sum = groups.get(group).sum();
            sum.openMost = Math.max(sum.openMost, now);
        }
    }
}
