package io.mio.events;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects processes, files and decisions from the blocks of definitions, in bounded memory. */
final class EventDefinitions {
    private static final int FILES_MAX = 1 << 20;
    private static final int PROCESSES_MAX = 1 << 16;
    private static final int DECISIONS_MAX = 1 << 16;

    /** Most bytes held in memory, about: they have room for 100 000 opens of different files. */
    private static final long HELD_MAX = 96L << 20;

    /** Bytes of a definition without its texts; then of a text without its characters. */
    private static final int FILE_HELD = 208;

    private static final int TEXT_HELD = 88;

    /** Longest text that is kept, bytes. */
    private static final int ONE_TEXT_MAX = 16 << 10;

    private final Map<Integer, EventFile> files = new HashMap<>();
    private final List<EventProcess> processes = new ArrayList<>();
    private final List<EventDecision> decisions = new ArrayList<>();

    /** Texts held: most are names of layers, and many files are opened again and again. */
    private final Map<String, String> known = new HashMap<>();

    private long heldBytes;
    private long left;
    private long unknown;
    private long damaged;

    // The definition that is being read.
    private EventFile file;
    private EventProcess process;
    private EventDecision decision;

    /** Number of the decision, by which its texts refer to it. */
    private int decisionId;

    private final byte[] piece = new byte[EventFormat.TEXT_BYTES];
    private final ByteArrayOutputStream[] texts =
            new ByteArrayOutputStream[EventFormat.TEXT_REASON + 1];

    Map<Integer, EventFile> files() {
        return files;
    }

    List<EventDecision> decisions() {
        return decisions;
    }

    List<EventProcess> processes() {
        return processes;
    }

    long left() {
        return left;
    }

    long unknown() {
        return unknown;
    }

    long damaged() {
        return damaged;
    }

    /** Reads one block. A definition lies in one block with all its texts. */
    void read(EventBlock block) {
        for (int i = 0; i < block.records(); i++) {
            int at = block.place(i);
            switch (Short.toUnsignedInt(block.bytes.getShort(at))) {
                case 0 -> {
                    // Lost, and counted by the block.
                }
                case EventFormat.PROCESS -> {
                    finish();
                    process = process(block.bytes, at);
                }
                case EventFormat.FILE -> {
                    finish();
                    file = file(block.bytes, at, block.process());
                }
                case EventFormat.DECISION -> {
                    finish();
                    decisionId = block.bytes.getInt(at + 4);
                    decision = decision(block.bytes, at, block.process());
                }
                case EventFormat.TEXT -> text(block.bytes, at);
                default -> unknown++;
            }
        }
        finish();
    }

    private static EventProcess process(ByteBuffer bytes, int at) {
        return new EventProcess(
                Integer.toUnsignedLong(bytes.getInt(at + 4)),
                Integer.toUnsignedLong(bytes.getInt(at + 16)),
                bytes.getInt(at + 20),
                bytes.getLong(at + 8),
                "");
    }

    private static EventDecision decision(ByteBuffer bytes, int at, long process) {
        return new EventDecision(
                bytes.getInt(at + 16),
                process,
                Integer.toUnsignedLong(bytes.getInt(at + 20)),
                bytes.getLong(at + 8),
                "",
                "");
    }

    private static EventFile file(ByteBuffer bytes, int at, long process) {
        return new EventFile(
                bytes.getInt(at + 4),
                Byte.toUnsignedInt(bytes.get(at + 2)),
                Byte.toUnsignedInt(bytes.get(at + 3)),
                process,
                bytes.getLong(at + 8),
                bytes.getLong(at + 16),
                bytes.getLong(at + 24),
                bytes.getInt(at + 32),
                bytes.getInt(at + 36),
                bytes.getLong(at + 40),
                Integer.toUnsignedLong(bytes.getInt(at + 48)),
                Integer.toUnsignedLong(bytes.getInt(at + 52)),
                Integer.toUnsignedLong(bytes.getInt(at + 56)),
                Integer.toUnsignedLong(bytes.getInt(at + 60)),
                "",
                "",
                "",
                "");
    }

    private void text(ByteBuffer bytes, int at) {
        int kind = Byte.toUnsignedInt(bytes.get(at + 2));
        int count = Byte.toUnsignedInt(bytes.get(at + 3));
        int id = bytes.getInt(at + 4);
        boolean ofFile = file != null && file.id() == id && kind < EventFormat.TEXT_PROGRAM;
        boolean ofProcess =
                process != null
                        && process.process() == Integer.toUnsignedLong(id)
                        && kind == EventFormat.TEXT_PROGRAM;
        boolean ofDecision =
                decision != null && decisionId == id && kind > EventFormat.TEXT_PROGRAM;
        if (kind == 0 || kind >= texts.length) {
            unknown++;
        } else if (count > EventFormat.TEXT_BYTES || !(ofFile || ofProcess || ofDecision)) {
            damaged++;
        } else {
            if (texts[kind] == null) {
                texts[kind] = new ByteArrayOutputStream();
            }
            if (texts[kind].size() < ONE_TEXT_MAX) {
                bytes.get(at + 8, piece, 0, count);
                texts[kind].write(piece, 0, count);
            }
        }
    }

    private void finish() {
        if (process != null && processes.size() < PROCESSES_MAX && heldBytes < HELD_MAX) {
            processes.add(
                    new EventProcess(
                            process.process(),
                            process.parent(),
                            process.door(),
                            process.beganNanos(),
                            taken(EventFormat.TEXT_PROGRAM)));
        }
        if (file != null) {
            if (files.size() < FILES_MAX && heldBytes < HELD_MAX) {
                heldBytes += FILE_HELD;
                files.put(file.id(), named(file));
            } else {
                left++;
            }
        }
        if (decision != null) {
            if (decisions.size() < DECISIONS_MAX && heldBytes < HELD_MAX) {
                decisions.add(
                        new EventDecision(
                                decision.file(),
                                decision.process(),
                                decision.thread(),
                                decision.nanos(),
                                taken(EventFormat.TEXT_WHAT),
                                taken(EventFormat.TEXT_REASON)));
            } else {
                left++;
            }
        }
        process = null;
        file = null;
        decision = null;
        for (ByteArrayOutputStream text : texts) {
            if (text != null) {
                text.reset();
            }
        }
    }

    private EventFile named(EventFile one) {
        return new EventFile(
                one.id(),
                one.layer(),
                one.place(),
                one.process(),
                one.openedNanos(),
                one.device(),
                one.inode(),
                one.oflags(),
                one.mode(),
                one.sizeBytes(),
                one.pageBytes(),
                one.frames(),
                one.cache(),
                one.sample(),
                taken(EventFormat.TEXT_PATH),
                taken(EventFormat.TEXT_LAYER),
                taken(EventFormat.TEXT_ABOVE),
                taken(EventFormat.TEXT_BELOW));
    }

    private String taken(int kind) {
        if (texts[kind] == null) {
            return "";
        }
        String text = texts[kind].toString(StandardCharsets.UTF_8);
        String before = known.putIfAbsent(text, text);
        if (before == null) {
            heldBytes += TEXT_HELD + 2L * text.length();
        }
        return before == null ? text : before;
    }
}
