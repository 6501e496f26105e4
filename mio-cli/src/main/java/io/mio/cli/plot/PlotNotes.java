package io.mio.cli.plot;

import io.mio.cli.term.Amounts;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventLosses;
import java.util.ArrayList;
import java.util.List;

/** Says in sentences what a picture does not show. */
final class PlotNotes {
    private static final int NAMED = 3;

    private final List<String> notes = new ArrayList<>();

    List<String> notes() {
        return notes;
    }

    void filter(String filtered) {
        if (!filtered.isEmpty()) {
            notes.add("Only a part is shown: " + filtered + ".");
        }
    }

    /** What the finest level hides. */
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
                        + "; 'mio plot FILE --from TIME --to TIME' shows less time with every"
                        + " event.");
    }

    void sampled(FileTable table, Survey survey, List<PlotFile> files) {
        List<String> names = new ArrayList<>();
        long least = Long.MAX_VALUE;
        long most = 0;
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
                            + (count > NAMED ? " and " + (count - NAMED) + " more" : "")
                            + ": counts, bytes and rates are that much too low.");
        }
    }

    void dropped(EventHeader header, LossList losses) {
        long all = Math.max(header.dropped(), losses.events());
        if (all <= 0) {
            return;
        }
        long untimed = all - losses.events();
        List<Loss> times = losses.losses();
        notes.add(
                number(all, "event was", "events were")
                        + " not recorded"
                        + (times.isEmpty()
                                ? ""
                                : ", in " + Amounts.time(losses.nanos()) + " of the run")
                        + (untimed > 0 && !times.isEmpty()
                                ? "; of "
                                        + Amounts.count(untimed)
                                        + " of them the time is not known"
                                : "")
                        + (untimed > 0 && times.isEmpty() ? "; when is not known" : "")
                        + ".");
        long full =
                EventFormat.HEADER_BYTES + (header.claimedBlocks() + 1) * EventFormat.BLOCK_BYTES;
        if (header.limitBytes() > 0 && full > header.limitBytes()) {
            notes.add(
                    "The events file has reached its limit, events_limit="
                            + header.limitBytes()
                            + " ("
                            + Amounts.bytes(header.limitBytes())
                            + ").");
        }
    }

    /**
     * What the events file lacks.
     *
     * @param undefined events of files that are not defined
     * @param absurd events whose times, offsets or sizes are out of all bounds
     */
    void missing(EventLosses losses, long undefined, long absurd) {
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
        add(losses.damagedRecords(), "record makes", "records make", " no sense and are left out");
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
                " left out, because there are too many");
        add(undefined, "event is", "events are", " left out, because the file is not defined");
        add(
                absurd,
                "event has",
                "events have",
                " a time, offset or size that cannot be, and is left out");
    }

    /** What had not ended at the end of the events file. */
    void pending(Submissions requests, PageMarks pages) {
        String least = requests.isFull() ? "At least " : "";
        add(
                least,
                requests.pending(),
                "asynchronous request",
                "asynchronous requests",
                " had not ended, and are not drawn");
        add(
                pages.pending(),
                "read of a page",
                "reads of pages",
                " had not ended, and are not drawn");
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
