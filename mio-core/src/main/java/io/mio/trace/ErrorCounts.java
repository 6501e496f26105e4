package io.mio.trace;

import io.mio.counters.CounterLayout;
import io.mio.counters.CounterRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often calls on a file failed, by the names of errors. For one thread at a time. */
final class ErrorCounts {
    /** Most names that are counted apart; the rest counts as "other". */
    private static final int NAMES_MAX = 32;

    private Map<String, Long> counts;
    private final List<String> shown = new ArrayList<>(0);

    /**
     * Counts one more failure.
     *
     * @param record shows the count to others, or null
     */
    void add(String error, CounterRecord record) {
        if (counts == null) {
            counts = new TreeMap<>();
        }
        String name = counts.size() >= NAMES_MAX && !counts.containsKey(error) ? "other" : error;
        counts.merge(name, 1L, Long::sum);
        if (record != null) {
            show(name, record);
        }
    }

    /** Shows the count in the entry of that name, or in the next free one. */
    private void show(String name, CounterRecord record) {
        int count = (int) record.get(CounterLayout.ERROR_COUNT);
        int i = shown.indexOf(name);
        int at = CounterLayout.ERRORS + (i < 0 ? count : i) * CounterLayout.ERROR_BYTES;
        record.put(at + CounterLayout.ERROR_NAME_BYTES, counts.get(name));
        if (i < 0) {
            shown.add(name);
            record.text(at, CounterLayout.ERROR_NAME_BYTES, name);
            record.put(CounterLayout.ERROR_COUNT, count + 1);
        }
    }

    /** Returns a copy of the counts, by name. */
    Map<String, Long> soFar() {
        return counts == null ? Map.of() : new TreeMap<>(counts);
    }
}
