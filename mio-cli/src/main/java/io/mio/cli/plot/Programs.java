package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the programs that did the I/O. The first process of a run is often just a shell that starts
 * the one that matters.
 */
final class Programs {
    /** Most names that are told. */
    private static final int NAMED = 3;

    /** A program is named if it moved more than one part in so many of what the first one moved. */
    private static final int SHARE = 20;

    private static final class Sums {
        long bytes;
        long events;
    }

    /** Processes by number; one that became another program (exec) has several entries. */
    private final Map<Long, List<EventProcess>> processes;

    private final String first;
    private final Map<String, Sums> sums = new HashMap<>();

    // The last event's process, as most events are of the same process as the one before.
    private long lastProcess;
    private List<EventProcess> last = List.of();

    Programs(EventReader reader) {
        first = reader.header().program();
        processes =
                reader.processes().stream().collect(Collectors.groupingBy(EventProcess::process));
    }

    /** Counts a call or request that is drawn. */
    void add(Event event, boolean transfer) {
        Sums of = sums.computeIfAbsent(name(event), unknown -> new Sums());
        of.events++;
        of.bytes = MarkTable.sum(of.bytes, transfer ? event.delivered() : 0);
    }

    private String name(Event event) {
        if (last.isEmpty() || lastProcess != event.process()) {
            lastProcess = event.process();
            last = processes.getOrDefault(lastProcess, List.of());
        }
        String name = "";
        for (EventProcess one : last) {
            if (name.isEmpty() || one.beganNanos() <= event.endNanos()) {
                name = one.program();
            }
        }
        return name.isEmpty() ? first : name;
    }

    /**
     * Returns the names of those that moved most, with commas; the name in the file's header if
     * none did anything.
     */
    String names() {
        List<Map.Entry<String, Sums>> all =
                sums.entrySet().stream()
                        .sorted(
                                Comparator.comparingLong(
                                                (Map.Entry<String, Sums> one) ->
                                                        -one.getValue().bytes)
                                        .thenComparingLong(one -> -one.getValue().events)
                                        .thenComparing(Map.Entry::getKey))
                        .toList();
        if (all.isEmpty()) {
            return first;
        }
        long least = all.get(0).getValue().bytes / SHARE;
        List<String> names =
                all.stream()
                        .filter(one -> one == all.get(0) || one.getValue().bytes > least)
                        .map(Map.Entry::getKey)
                        .toList();
        return String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
                + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "");
    }
}
