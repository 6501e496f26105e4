package io.mio.events;

import io.mio.stats.TraceOperation;

/** Makes events of records, and counts the records that are no events. */
final class EventRecords {
    private static final TraceOperation[] OPERATIONS = TraceOperation.values();

    private long unknown;
    private long damaged;

    /** Records of types and operations that this version does not know. */
    long unknown() {
        return unknown;
    }

    /** Records that claim the impossible. */
    long damaged() {
        return damaged;
    }

    /** Returns the event at a place of a block; null if it is none, which is counted. */
    Event event(EventBlock block, int at) {
        int type = block.int16(at);
        int code = block.int8(at + 2);
        TraceOperation operation = null;
        PageOperation page = null;
        Event.Kind kind;
        switch (type) {
            case EventFormat.CALL, EventFormat.END -> {
                kind = type == EventFormat.CALL ? Event.Kind.CALL : Event.Kind.END;
                operation = code < OPERATIONS.length ? OPERATIONS[code] : null;
            }
            case EventFormat.PAGE -> {
                kind = Event.Kind.PAGE;
                page = PageOperation.of(code);
            }
            case EventFormat.DROPPED -> {
                return possible(dropped(block, at));
            }
            default -> kind = null;
        }
        if (operation == null && page == null) {
            unknown++;
            return null;
        }
        int flags = block.int8(at + 3);
        return possible(
                new Event(
                        kind,
                        operation,
                        page,
                        block.int32(at + 4),
                        block.int64(at + 8),
                        block.int64(at + 16),
                        block.int64(at + 24),
                        block.int64(at + 32),
                        block.int64(at + 40),
                        (flags & EventFormat.FAILED) != 0,
                        (flags & EventFormat.APPEND) != 0,
                        (flags & EventFormat.ASYNCHRONOUS) != 0,
                        block.int32(at + 48),
                        Integer.toUnsignedLong(block.int32(at + 52)),
                        block.int64(at + 56),
                        block.process()));
    }

    /** Returns the event, or null if it is impossible. */
    private Event possible(Event event) {
        if (event.isPossible()) {
            return event;
        }
        damaged++;
        return null;
    }

    private Event dropped(EventBlock block, int at) {
        return new Event(
                Event.Kind.DROPPED,
                null,
                null,
                0,
                block.int64(at + 8),
                Math.max(0, block.int64(at + 16)),
                -1,
                block.int64(at + 24),
                0,
                false,
                false,
                false,
                0,
                0,
                0,
                block.process());
    }
}
