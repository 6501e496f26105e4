package io.mio.cli.events;

import io.mio.config.Nearest;
import io.mio.events.Event;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Operations that were asked for, by the names that {@code mio events} shows.
 *
 * @param calls calls, as bits by {@link TraceOperation#ordinal}
 * @param ends ends of asynchronous requests, as the same bits
 * @param pages page events, as bits by {@link PageOperation#ordinal}
 * @param losses whether events that tell of losses are asked for
 */
public record OperationSet(int calls, int ends, int pages, boolean losses) {
    /** Name of an event that tells of losses. */
    static final String LOST = "lost";

    private static final String READS = "reads";
    private static final String WRITES = "writes";
    private static final String PAGES = "pages";

    private static final String[] PAGE_NAMES =
            Arrays.stream(PageOperation.values())
                    .map(operation -> operation.label().replace(' ', '-'))
                    .toArray(String[]::new);

    private static final String[] END_NAMES =
            Arrays.stream(TraceOperation.values())
                    .map(operation -> operation.label() + "-end")
                    .toArray(String[]::new);

    boolean has(Event event) {
        return switch (event.kind()) {
            case CALL -> (calls & 1 << event.operation().ordinal()) != 0;
            case END -> (ends & 1 << event.operation().ordinal()) != 0;
            case PAGE -> (pages & 1 << event.page().ordinal()) != 0;
            case DROPPED -> losses;
        };
    }

    OperationSet or(OperationSet other) {
        return new OperationSet(
                calls | other.calls,
                ends | other.ends,
                pages | other.pages,
                losses || other.losses);
    }

    /**
     * Returns the name as shown: {@code read}, {@code aread-end}, {@code prefetch-issued}, {@code
     * lost}.
     */
    public static String name(Event event) {
        return switch (event.kind()) {
            case CALL -> event.operation().label();
            case END -> END_NAMES[event.operation().ordinal()];
            case PAGE -> name(event.page());
            case DROPPED -> LOST;
        };
    }

    /** Returns the name as shown, without blanks. */
    static String name(PageOperation operation) {
        return PAGE_NAMES[operation.ordinal()];
    }

    /**
     * Returns the operation or group of this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    static OperationSet of(String name) {
        String wanted = name.trim().toLowerCase(Locale.ROOT).replace(' ', '-');
        int calls = 0;
        int ends = 0;
        for (TraceOperation operation : TraceOperation.values()) {
            boolean inGroup =
                    operation.isTransfer() && wanted.equals(operation.isWrite() ? WRITES : READS);
            if (isRecorded(operation) && (inGroup || wanted.equals(operation.label()))) {
                calls |= 1 << operation.ordinal();
                ends |= 1 << operation.ordinal();
            }
            if (operation.isAsynchronous() && wanted.equals(END_NAMES[operation.ordinal()])) {
                ends |= 1 << operation.ordinal();
            }
        }
        int pages = 0;
        for (PageOperation operation : PageOperation.values()) {
            if (wanted.equals(PAGES) || wanted.equals(name(operation))) {
                pages |= 1 << operation.ordinal();
            }
        }
        OperationSet set = new OperationSet(calls, ends, pages, wanted.equals(LOST));
        if (set.equals(new OperationSet(0, 0, 0, false))) {
            throw new IllegalArgumentException(unknown(name, wanted));
        }
        return set;
    }

    /** Returns all names that {@link #of} knows. */
    static List<String> names() {
        List<String> names = new ArrayList<>(List.of(READS, WRITES, PAGES));
        for (TraceOperation operation : TraceOperation.values()) {
            if (isRecorded(operation)) {
                names.add(operation.label());
            }
            if (operation.isAsynchronous()) {
                names.add(END_NAMES[operation.ordinal()]);
            }
        }
        names.addAll(List.of(PAGE_NAMES));
        names.add(LOST);
        return names;
    }

    /** Returns false for seeks, for which the format has no events. */
    private static boolean isRecorded(TraceOperation operation) {
        return operation != TraceOperation.SEEK;
    }

    private static String unknown(String name, String wanted) {
        if (wanted.equals(TraceOperation.SEEK.label())) {
            return "seeks take no time and are not recorded: the next request tells its offset";
        }
        // Of two equally near names the shorter one is proposed: read rather than reads.
        List<String> known = new ArrayList<>(names());
        known.sort(Comparator.comparingInt(String::length));
        String nearest = Nearest.word(wanted, known);
        return "'"
                + name
                + "' is no operation"
                + (nearest == null ? "" : "; did you mean " + nearest + "?")
                + (nearest == null ? "; there are " : " There are ")
                + String.join(", ", names());
    }
}
