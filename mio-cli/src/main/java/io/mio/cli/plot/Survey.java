package io.mio.cli.plot;

import io.mio.events.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The first pass over a run: finds its span, which files moved most, and how large they are. Takes
 * about 100 bytes for each file.
 */
final class Survey {
    private static final int STAGES = Stage.values().length;

    private final FileTable table;
    private final boolean[] seen;

    /** Bytes delivered, by file and stage. */
    private final long[] bytes;

    /** Largest ends of events that moved bytes, by file; see {@link Touched}. */
    private final long[] offsetEnds;

    /** Largest ends of events that moved no bytes, by file. */
    private final long[] emptyEnds;

    private long beginNanos = Long.MAX_VALUE;
    private long endNanos = Long.MIN_VALUE;

    // Set by finish.
    private int[] places = new int[0];
    private final List<Integer> own = new ArrayList<>();
    private int joined;

    Survey(FileTable table) {
        this.table = table;
        int count = table.fileCount();
        seen = new boolean[count];
        bytes = new long[count * STAGES];
        offsetEnds = new long[count];
        emptyEnds = new long[count];
    }

    void add(Event event) {
        if (event.kind() == Event.Kind.DROPPED) {
            include(event.startNanos(), event.endNanos());
            return;
        }
        int definition = table.definition(event.file());
        if (definition < 0) {
            return;
        }
        include(event.startNanos(), event.endNanos());
        int file = table.file(definition);
        seen[file] = true;
        long moved = event.delivered();
        if (event.kind() == Event.Kind.PAGE) {
            moved = Math.max(0, event.requested());
        } else {
            What what = EventMarks.whatOfCall(event);
            if (what != null && what.isTransfer()) {
                int at = file * STAGES + table.stage(definition).ordinal();
                bytes[at] = MarkTable.sum(bytes[at], moved);
            }
        }
        long[] ends = moved > 0 ? offsetEnds : emptyEnds;
        ends[file] = Math.max(ends[file], event.offset() + moved);
    }

    private void include(long start, long end) {
        beginNanos = Math.min(beginNanos, start);
        endNanos = Math.max(endNanos, end);
    }

    /** Ends the pass: the files that moved most get a place of their own. */
    void finish(int filesMax) {
        List<Integer> sorted = new ArrayList<>();
        long[] most = new long[seen.length];
        for (int file = 0; file < seen.length; file++) {
            if (seen[file]) {
                sorted.add(file);
                for (int stage = 0; stage < STAGES; stage++) {
                    most[file] = Math.max(most[file], bytes[file * STAGES + stage]);
                }
            }
        }
        sorted.sort(
                Comparator.comparingLong((Integer file) -> most[file])
                        .reversed()
                        .thenComparing(table::path));
        int count = sorted.size() <= filesMax ? sorted.size() : filesMax - 1;
        own.addAll(sorted.subList(0, count));
        joined = sorted.size() - count;
        places = new int[seen.length];
        Arrays.fill(places, count);
        for (int i = 0; i < count; i++) {
            places[own.get(i)] = i;
        }
    }

    /** Returns the number of files that are drawn, where all others count as one. */
    int drawnCount() {
        return own.size() + (joined > 0 ? 1 : 0);
    }

    /** Returns the number of all files with events. */
    long fileCount() {
        return (long) own.size() + joined;
    }

    /** Returns how many files are drawn as one, 0 if all have a place of their own. */
    int joinedCount() {
        return joined;
    }

    /**
     * Returns the place where a file is drawn, 0 to {@link #drawnCount} - 1; negative if nowhere.
     */
    int drawn(int file) {
        return seen[file] ? places[file] : -1;
    }

    /** Returns the file drawn at a place; -1 for the others. */
    int file(int drawn) {
        return drawn < own.size() ? own.get(drawn) : -1;
    }

    /**
     * Returns, for the files that are drawn as one, the number of calls of which one is recorded,
     * at worst.
     */
    long othersSample() {
        long sample = 0;
        for (int file = 0; file < seen.length; file++) {
            if (seen[file] && file(places[file]) < 0) {
                sample = Math.max(sample, table.sample(file));
            }
        }
        return sample;
    }

    Scale scale() {
        long[] ends = new long[drawnCount()];
        for (int file = 0; file < seen.length; file++) {
            if (seen[file]) {
                int drawn = drawn(file);
                long end = offsetEnds[file] > 0 ? offsetEnds[file] : emptyEnds[file];
                ends[drawn] = Math.max(ends[drawn], end);
            }
        }
        return new Scale(beginNanos(), endNanos(), ends);
    }

    private boolean isEmpty() {
        return endNanos < beginNanos;
    }

    /** Returns whether the event lies between the first moment and the last one. */
    boolean spans(Event event) {
        return event.startNanos() >= beginNanos() && event.endNanos() <= endNanos();
    }

    long beginNanos() {
        return isEmpty() ? 0 : beginNanos;
    }

    long endNanos() {
        return isEmpty() ? 0 : endNanos;
    }
}
