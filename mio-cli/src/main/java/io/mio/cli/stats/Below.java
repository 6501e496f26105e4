package io.mio.cli.stats;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What processes did on files, as seen below the program. This counts for a process only where no
 * layer next to the program is traced, which is known only at the end of the input. Until then it
 * is kept for the last pairs of a process and a file.
 */
final class Below {
    private static final int PAIRS_MAX = 10_000;

    private record Pair(ProcessFigures process, FileFigures file) {}

    private final Map<Pair, FileFigures> kept = new LinkedHashMap<>();

    /**
     * Adds a block of trace.
     *
     * @param file figures of the file, which count the block already
     */
    void addTrace(
            ProcessFigures process, FileFigures file, FileFigures.Layer layer, Counts counts) {
        if (!file.isTopTraced()) {
            of(process, file).addTrace(process, layer, counts);
        }
    }

    /**
     * Adds a block of pf.
     *
     * @param file figures of the file, which count the block already
     */
    void addPf(ProcessFigures process, FileFigures file, Counts counts) {
        if (!file.isTopTraced()) {
            of(process, file).addPf(process, counts);
        }
    }

    private FileFigures of(ProcessFigures process, FileFigures file) {
        Pair pair = new Pair(process, file);
        FileFigures part = kept.get(pair);
        if (part == null) {
            if (kept.size() >= PAIRS_MAX) {
                Iterator<Map.Entry<Pair, FileFigures>> oldest = kept.entrySet().iterator();
                settle(oldest.next());
                oldest.remove();
            }
            part = new FileFigures(file.program(), file.name());
            kept.put(pair, part);
        }
        return part;
    }

    /** Adds what is kept to the processes; no more blocks may follow. */
    void settle() {
        kept.entrySet().forEach(Below::settle);
        kept.clear();
    }

    private static void settle(Map.Entry<Pair, FileFigures> entry) {
        Pair pair = entry.getKey();
        pair.process().addTop(entry.getValue().partOf(pair.file()));
    }
}
