package io.mio.cli.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The times in which events were lost. If there are many, neighbours become one. */
final class LossList {
    private static final int ROOM = 2000;

    private static final Comparator<Loss> BY_TIME =
            Comparator.comparingLong(Loss::startNanos).thenComparingLong(Loss::endNanos);

    private final List<Loss> losses = new ArrayList<>();
    private long events;

    void add(long startNanos, long endNanos, long count) {
        long lost = Math.max(0, count);
        events = MarkTable.sum(events, lost);
        losses.add(new Loss(startNanos, endNanos, lost));
        if (losses.size() == ROOM) {
            losses.sort(BY_TIME);
            for (int i = 0; i < ROOM / 2; i++) {
                losses.set(i, joined(losses.get(2 * i), losses.get(2 * i + 1)));
            }
            losses.subList(ROOM / 2, ROOM).clear();
        }
    }

    private static Loss joined(Loss one, Loss other) {
        return new Loss(
                Math.min(one.startNanos(), other.startNanos()),
                Math.max(one.endNanos(), other.endNanos()),
                MarkTable.sum(one.events(), other.events()));
    }

    /** Returns the losses in the order of their times. */
    List<Loss> losses() {
        losses.sort(BY_TIME);
        return List.copyOf(losses);
    }

    /** Returns how many events are missing. */
    long events() {
        return events;
    }

    /** Returns the length of the time in which there was at least one loss. */
    long nanos() {
        long nanos = 0;
        long until = Long.MIN_VALUE;
        for (Loss loss : losses()) {
            long start = Math.max(until, loss.startNanos());
            nanos += Math.max(0, loss.endNanos() - start);
            until = Math.max(until, loss.endNanos());
        }
        return nanos;
    }
}
