package io.mio.cli.events;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.Terminal;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventLosses;
import io.mio.events.EventReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What is to be said of an events file as a whole: who wrote it, when, and what is missing. */
public final class FileFacts {
    private static final long NANOS = 1_000_000_000L;

    private FileFacts() {}

    /**
     * Returns who wrote the file and when, and what is missing as far as that is known before the
     * events are read.
     */
    static List<String> lines(EventReader reader) {
        EventHeader header = reader.header();
        List<String> lines = new ArrayList<>();
        lines.add(
                "program "
                        + header.program()
                        + ", process "
                        + header.process()
                        + (header.door() == EventFormat.JVM ? " (JVM)" : " (native)")
                        + ", host "
                        + header.host()
                        + ", "
                        + header.library());
        lines.add("time zero " + began(header));
        lines.addAll(sampling(reader));
        return lines;
    }

    /** Returns the charset of the output: readers of pipes and files want the names as they are. */
    static Charset charset(Terminal terminal) {
        return terminal.outIsTerminal() && !terminal.utf8()
                ? StandardCharsets.US_ASCII
                : StandardCharsets.UTF_8;
    }

    /** Returns time zero by the clock of the day. */
    static Instant began(EventHeader header) {
        return Instant.ofEpochSecond(
                Math.floorDiv(header.realtimeNanos(), NANOS),
                Math.floorMod(header.realtimeNanos(), NANOS));
    }

    private static List<String> sampling(EventReader reader) {
        long most = 1;
        long sampled = 0;
        for (EventFile file : reader.files().values()) {
            if (file.sample() > 1) {
                sampled++;
                most = Math.max(most, file.sample());
            }
        }
        return sampled == 0
                ? List.of()
                : List.of(
                        "sampled: of "
                                + Amounts.count(sampled)
                                + " of "
                                + Amounts.count(reader.files().size())
                                + " opens only one call in "
                                + Amounts.count(most)
                                + " is recorded (events_sample)");
    }

    /** Returns what is missing, once the events were read. */
    static List<String> missing(EventHeader header, EventLosses losses) {
        List<String> lines = new ArrayList<>();
        if (losses.dropped() > 0) {
            lines.add(
                    "missing: "
                            + events(losses.dropped())
                            + " could not be recorded"
                            + (isFull(header)
                                    ? ", as the file has reached its limit of "
                                            + Amounts.bytes(header.limitBytes())
                                            + " (events_limit)"
                                    : ", for lack of space (a file whose name found no space"
                                            + " counts as one)"));
        }
        lines.addAll(unread(losses));
        return lines;
    }

    /** Returns what of the file could not be read. */
    public static List<String> unread(EventLosses losses) {
        List<String> lines = new ArrayList<>();
        if (losses.cutBytes() > 0) {
            lines.add(
                    "cut: " + Amounts.bytes(losses.cutBytes()) + " of the last block are missing");
        }
        if (losses.missingBlocks() > 0) {
            // After a kill these are blocks that the program was just setting aside, and empty.
            lines.add(
                    "missing: "
                            + blocks(losses.missingBlocks())
                            + " of up to "
                            + Amounts.count(EventFormat.BLOCK_RECORDS)
                            + " events, as the file was cut, or a program was killed while it made"
                            + " it longer");
        }
        if (losses.damagedBlocks() > 0) {
            lines.add(
                    "damaged, left out: "
                            + blocks(losses.damagedBlocks())
                            + " of up to "
                            + Amounts.count(EventFormat.BLOCK_RECORDS)
                            + " events or of names, or what was appended to the file");
        }
        add(lines, "left out, records that make no sense: ", losses.damagedRecords());
        add(lines, "left out, records of a newer version: ", losses.unknownRecords());
        add(lines, "left out, blocks of a newer version: ", losses.unknownBlocks());
        add(lines, "left out, opens that are too many to be kept: ", losses.undefinedFiles());
        return lines;
    }

    private static void add(List<String> lines, String what, long count) {
        if (count > 0) {
            lines.add(what + Amounts.count(count));
        }
    }

    private static boolean isFull(EventHeader header) {
        long next =
                EventFormat.HEADER_BYTES + (header.claimedBlocks() + 1) * EventFormat.BLOCK_BYTES;
        return header.limitBytes() > 0 && next > header.limitBytes();
    }

    private static String blocks(long blocks) {
        return Amounts.count(blocks) + (blocks == 1 ? " block" : " blocks");
    }

    /** Returns a number of events, as {@code 1 event} or {@code 2 345 events}. */
    static String events(long events) {
        return Amounts.count(events) + (events == 1 ? " event" : " events");
    }
}
