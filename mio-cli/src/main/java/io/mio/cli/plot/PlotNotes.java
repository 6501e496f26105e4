package io.mio.cli.plot;

import io.mio.cli.term.Amounts;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventLosses;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Says in sentences what a picture does not show. */
final class PlotNotes {
    private static final int NAMED = 3;

    private final List<String> notes = new ArrayList<>();

    List<String> notes() {
        return notes;
    }

    void nothing(long events) {
        if (events == 0) {
            notes.add("There is nothing to show: no event fits.");
        }
    }

    void filter(String filtered) {
        if (!filtered.isEmpty()) {
            notes.add("Only a part is shown: " + filtered + ".");
        }
    }

    /** Says what the finest level hides. */
    void merged(long events, Level finest) {
        if (finest.isExact()) {
            return;
        }
        notes.add(
                Amounts.count(events)
                        + " events are drawn as "
                        + Amounts.count(finest.marks().size())
                        + " marks, which hides differences of up to "
                        + Amounts.time(finest.timeStepNanos())
                        + " and "
                        + Amounts.bytes(finest.offsetStepBytes())
                        + "; a shorter time is shown event by event: mio plot FILE --from TIME --to"
                        + " TIME");
    }

    /**
     * Says which files are sampled. Returns the number of calls of which one was recorded, at
     * worst.
     */
    long sampled(FileTable table, Survey survey, List<PlotFile> files) {
        List<String> names = new ArrayList<>();
        long least = Long.MAX_VALUE;
        long most = 1;
        int count = 0;
        for (int drawn = 0; drawn < files.size(); drawn++) {
            int file = survey.file(drawn);
            long sample = file < 0 ? survey.othersSample() : table.sample(file);
            if (sample > 1) {
                count++;
                least = Math.min(least, sample);
                most = Math.max(most, sample);
                if (names.size() < NAMED) {
                    names.add(files.get(drawn).path());
                }
            }
        }
        if (count > 0) {
            notes.add(
                    "Only one call in "
                            + Amounts.count(least)
                            + (most > least ? " to " + Amounts.count(most) : "")
                            + " was recorded (events_sample) of "
                            + String.join(", ", names)
                            + (count > NAMED
                                    ? " and " + Amounts.count(count - NAMED) + " more"
                                    : "")
                            + ": counts, bytes, times and bandwidth are that much too low; the rate"
                            + " while calls were under way is not.");
        }
        return most;
    }

    /**
     * Says which events found no room in the events file.
     *
     * @param untimed how many of them are in none of the losses
     * @param stoppedNanos where recording stopped, since time zero; negative if it did not, or if
     *     that is not known
     */
    void dropped(EventHeader header, LossList losses, long untimed, long stoppedNanos) {
        long all = losses.events() + untimed;
        if (all <= 0) {
            return;
        }
        boolean timed = !losses.losses().isEmpty();
        boolean unknown = untimed > 0 && stoppedNanos < 0;
        notes.add(
                number(all, "event was", "events were")
                        + " not recorded"
                        + (timed ? ", in " + Amounts.time(losses.nanos()) + " of the run" : "")
                        + (unknown && timed
                                ? "; of "
                                        + Amounts.count(untimed)
                                        + " of them the time is not known"
                                : "")
                        + (unknown && !timed ? "; when is not known" : "")
                        + ".");
        if (isFull(header)) {
            notes.add(
                    "The events file has reached its limit, events_limit="
                            + header.limitBytes()
                            + " ("
                            + Amounts.bytes(header.limitBytes())
                            + ")"
                            + (stoppedNanos < 0
                                    ? ""
                                    : ": nothing is recorded after " + moment(stoppedNanos))
                            + ".");
        }
    }

    /** Returns true if the events file has no room for one more block. */
    static boolean isFull(EventHeader header) {
        long full =
                EventFormat.HEADER_BYTES + (header.claimedBlocks() + 1) * EventFormat.BLOCK_BYTES;
        return header.limitBytes() > 0 && full > header.limitBytes();
    }

    private static String moment(long nanos) {
        return BigDecimal.valueOf(nanos, 9).toPlainString() + " s";
    }

    /**
     * Says what the events file lacks.
     *
     * @param undefined events of files that are not defined
     */
    void missing(EventLosses losses, long undefined) {
        if (losses.cutBytes() > 0) {
            notes.add("The events file was cut: a part of its last block is missing.");
        }
        if (losses.missingBlocks() > 0) {
            notes.add(
                    "The events file lacks "
                            + number(losses.missingBlocks(), "block", "blocks")
                            + " of up to "
                            + Amounts.count(EventFormat.BLOCK_RECORDS)
                            + " events that were set aside; they may never have been used.");
        }
        add(losses.damagedBlocks(), "block is", "blocks are", " damaged: left out");
        add(losses.damagedRecords(), "record makes", "records make", " no sense: left out");
        add(
                losses.unknownRecords(),
                "record is",
                "records are",
                " of kinds that this version does not know");
        add(
                losses.unknownBlocks(),
                "block is",
                "blocks are",
                " of kinds that this version does not know");
        add(
                losses.undefinedFiles(),
                "definition of a file was",
                "definitions of files were",
                " left out: there are too many");
        add(undefined, "event is", "events are", " left out: the file is not defined");
    }

    /**
     * Says what came while the file was read: a file that is still written has more events at each
     * pass.
     */
    void late(long events) {
        add(events, "event", "events", " came while the file was read: left out");
    }

    /** Says what had not ended at the end of the events file. */
    void pending(Submissions requests, PageMarks pages) {
        String least = requests.isFull() ? "At least " : "";
        add(
                least,
                requests.pending(),
                "asynchronous request",
                "asynchronous requests",
                " had not ended: not drawn");
        add(pages.pending(), "read of a page", "reads of pages", " had not ended: not drawn");
        if (pages.isFull()) {
            notes.add("There are too many frames in caches to follow all: some pages are missing.");
        }
    }

    void joined(Survey survey) {
        add(
                survey.joinedCount(),
                "file",
                "files",
                " that moved least are drawn as one, called other files");
    }

    private void add(long count, String one, String many, String rest) {
        add("", count, one, many, rest);
    }

    private void add(String before, long count, String one, String many, String rest) {
        if (count > 0) {
            notes.add(before + number(count, one, many) + rest + ".");
        }
    }

    private static String number(long count, String one, String many) {
        return Amounts.count(count) + " " + (count == 1 ? one : many);
    }
}
