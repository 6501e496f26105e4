package io.mio.cli.events;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds up events by file and layer, in memory that depends on the number of names and not on the
 * number of events or opens.
 */
final class Summary {
    /** Name for everything beyond the limit. */
    static final String OTHERS = "(others)";

    /** Name for events whose file nobody defined. */
    static final String UNDEFINED = "(not defined)";

    /** Most opens whose last request is remembered; the pattern of others begins anew. */
    private static final int OPENS_MAX = 1 << 14;

    /** Most layers that are told apart; there are few, unless somebody made the file up. */
    private static final int LAYERS_MAX = 1000;

    private record Key(String path, int layer, int place, String above, String below) {}

    private final int namesMax;
    private final Map<Key, LayerFigures> figures = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, LayerFigures> layers = new LinkedHashMap<>();
    private final FileTexts<LayerFigures> byId;
    private final FileTexts<LayerFigures> layerById;

    private final Map<Integer, AccessPattern> patterns =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, AccessPattern> eldest) {
                    return size() > OPENS_MAX;
                }
            };

    // The last event's open, as most events are of the same open as the one before.
    private int lastId;
    private AccessPattern lastPattern;

    private long events;
    private long lost;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;
    private boolean folded;

    /**
     * Makes an empty summary.
     *
     * @param namesMax names of files that are kept apart
     */
    Summary(EventReader reader, int namesMax) {
        this.namesMax = namesMax;
        this.byId = new FileTexts<>(reader.files(), this::figures);
        this.layerById = new FileTexts<>(reader.files(), this::layer);
    }

    void add(Event recorded) {
        Event event = recorded.bounded();
        events++;
        firstNanos = Math.min(firstNanos, event.startNanos());
        lastNanos = Math.max(lastNanos, event.endNanos());
        if (event.kind() == Event.Kind.DROPPED) {
            lost += event.requested();
            return;
        }
        byId.of(event.file()).add(event, pattern(event.file()));
        if (event.kind() != Event.Kind.PAGE) {
            LayerFigures layer = layerById.of(event.file());
            if (event.operation().isTransfer()
                    && (event.kind() == Event.Kind.END || !event.operation().isAsynchronous())) {
                layer.busy.add(event.startNanos(), event.endNanos());
            }
        }
    }

    private AccessPattern pattern(int id) {
        if (lastPattern == null || lastId != id) {
            lastId = id;
            lastPattern = patterns.computeIfAbsent(id, unknown -> new AccessPattern());
        }
        return lastPattern;
    }

    private LayerFigures figures(EventFile file) {
        if (file == null) {
            return figures.computeIfAbsent(
                    new Key(UNDEFINED, 0, 0, "", ""),
                    key -> new LayerFigures(UNDEFINED, "?", 0, false));
        }
        String path = file.path();
        if (!names.contains(path)) {
            if (names.size() < namesMax) {
                names.add(path);
            } else {
                path = OTHERS;
                folded = true;
            }
        }
        String kept = path;
        boolean few = figures.size() < LAYERS_MAX + 8L * namesMax;
        Key key =
                few
                        ? new Key(path, file.layer(), file.place(), file.above(), file.below())
                        : new Key(path, 0, 0, "", "");
        LayerFigures one = figures.computeIfAbsent(key, unknown -> LayerFigures.of(file, kept));
        one.sampled |= file.sample() > 1;
        return one;
    }

    private LayerFigures layer(EventFile file) {
        String name = file == null ? "?" : TextDump.layer(file);
        String kept = layers.size() < LAYERS_MAX || layers.containsKey(name) ? name : OTHERS;
        return layers.computeIfAbsent(
                kept,
                unknown ->
                        new LayerFigures(
                                "",
                                kept,
                                file == null ? 0 : file.place(),
                                file != null && file.layer() == EventFormat.OF_PF));
    }

    long events() {
        return events;
    }

    /** Returns the number of lost events, from the records that tell of losses. */
    long lost() {
        return lost;
    }

    /** Returns true if there are more names than are kept apart. */
    boolean isFolded() {
        return folded;
    }

    /** Returns the number of different names with events. */
    int names() {
        return names.size();
    }

    /** Returns the start of the first event, in nanoseconds since time zero; 0 if there is none. */
    long firstNanos() {
        return events == 0 ? 0 : firstNanos;
    }

    /** Returns the nanoseconds from the beginning of the first event to the end of the last one. */
    long spanNanos() {
        return events == 0 ? 0 : lastNanos - firstNanos;
    }

    /**
     * Returns the figures by file, the one with the most time first; of each file from the program
     * down.
     */
    List<LayerFigures> files() {
        Map<String, Long> times = new HashMap<>();
        figures.values().forEach(one -> times.merge(one.path, one.ioNanos, Math::max));
        List<LayerFigures> all = new ArrayList<>(figures.values());
        all.sort(
                Comparator.comparing((LayerFigures one) -> -times.get(one.path))
                        .thenComparing(one -> one.path)
                        .thenComparing(one -> one.place)
                        .thenComparing(one -> one.layer));
        return all;
    }

    /** Returns the figures of all files together, by layer, from the program down. */
    List<LayerFigures> layers() {
        for (LayerFigures layer : layers.values()) {
            if (layer.events == 0) {
                figures.values().stream()
                        .filter(one -> !one.pages && one.layer.equals(layer.layer))
                        .forEach(layer::add);
            }
        }
        List<LayerFigures> all = new ArrayList<>(layers.values());
        all.sort(
                Comparator.comparing((LayerFigures one) -> one.place)
                        .thenComparing(one -> one.layer));
        return all;
    }
}
