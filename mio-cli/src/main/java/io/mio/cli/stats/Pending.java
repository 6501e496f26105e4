package io.mio.cli.stats;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Blocks that a later block of the same open may replace: {@code inter}, as the counters go on, and
 * {@code exit}, as the file may still be closed later. A block that is never replaced counts, as it
 * is the last that is known of this open. When there are too many, the oldest ones count early.
 *
 * @param <B> a block
 */
final class Pending<B> {
    private static final String CLOSE = "close";
    private static final String EXIT = "exit";
    private static final String INTER = "inter";

    private record Entry<B>(String event, B block) {}

    private final int blocksMax;
    private final Consumer<B> counted;
    private final Map<Object, Deque<Entry<B>>> entries = new LinkedHashMap<>();
    private int size;

    /**
     * Makes an empty store.
     *
     * @param counted takes the blocks that count
     */
    Pending(int blocksMax, Consumer<B> counted) {
        this.blocksMax = blocksMax;
        this.counted = counted;
    }

    static boolean isEvent(String word) {
        return word.equals(CLOSE) || word.equals(EXIT) || word.equals(INTER);
    }

    static boolean isExit(String event) {
        return event.equals(EXIT);
    }

    static boolean isInter(String event) {
        return event.equals(INTER);
    }

    /**
     * Takes the next block.
     *
     * @param key the same for all blocks of one open
     */
    void take(Object key, String event, B block) {
        switch (event) {
            case INTER -> {
                remove(key, INTER);
                put(key, event, block);
            }
            case EXIT -> {
                // An open has one exit at most, so another exit of the same key is of another open.
                remove(key, INTER);
                put(key, event, block);
            }
            default -> {
                if (!remove(key, EXIT)) {
                    remove(key, INTER);
                }
                counted.accept(block);
            }
        }
    }

    /** Counts all blocks that are left, as the input has ended. */
    void flush() {
        for (Deque<Entry<B>> open : entries.values()) {
            open.forEach(entry -> counted.accept(entry.block()));
        }
        entries.clear();
        size = 0;
    }

    private boolean remove(Object key, String event) {
        Deque<Entry<B>> open = entries.get(key);
        if (open == null) {
            return false;
        }
        for (Iterator<Entry<B>> i = open.iterator(); i.hasNext(); ) {
            if (i.next().event().equals(event)) {
                i.remove();
                size--;
                if (open.isEmpty()) {
                    entries.remove(key);
                }
                return true;
            }
        }
        return false;
    }

    private void put(Object key, String event, B block) {
        if (size >= blocksMax) {
            Iterator<Deque<Entry<B>>> oldest = entries.values().iterator();
            Deque<Entry<B>> open = oldest.next();
            counted.accept(open.removeFirst().block());
            size--;
            if (open.isEmpty()) {
                oldest.remove();
            }
        }
        entries.computeIfAbsent(key, any -> new ArrayDeque<>(1)).addLast(new Entry<>(event, block));
        size++;
    }
}
