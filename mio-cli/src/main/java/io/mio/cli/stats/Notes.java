package io.mio.cli.stats;

import io.mio.cli.term.Amounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds what is unusual about files. Does not say anything about figures that a report does not
 * have.
 */
final class Notes {
    private static final long NANOS_PER_MILLISECOND = 1_000_000;

    private final List<Note> notes = new ArrayList<>();
    private final FileFigures file;
    private final Row row;
    private final Counts top;

    private Notes(FileFigures file) {
        this.file = file;
        this.row = Rows.file(file);
        this.top = row.top();
    }

    /**
     * Returns the notes in the order of kinds; within a kind the most important ones come first.
     */
    static List<Note> of(List<FileFigures> files) {
        List<Note> all = new ArrayList<>();
        for (FileFigures file : files) {
            Notes notes = new Notes(file);
            notes.find();
            all.addAll(notes.notes);
        }
        all.sort(
                Comparator.comparing(Note::kind)
                        .thenComparing(Comparator.comparingLong(Note::weight).reversed())
                        .thenComparing(Note::file)
                        .thenComparing(Note::program));
        return all;
    }

    private void find() {
        errors();
        ends();
        tiny("reads", Counter.READS, Counter.READ_REQUESTED_BYTES, Counter.READ_NS);
        tiny("writes", Counter.WRITES, Counter.WRITE_REQUESTED_BYTES, Counter.WRITE_NS);
        patterns();
        readAgain();
        opens();
        extensions();
        fsyncs();
        file.layers().forEach(this::layer);
        if (file.pf() != null) {
            prefetches(file.pf());
            amplification(
                    NoteKind.READ_AMPLIFICATION,
                    "read",
                    Counter.PF_READ_BYTES,
                    Counter.PAGE_READ_BYTES);
            amplification(
                    NoteKind.WRITE_AMPLIFICATION,
                    "written",
                    Counter.PF_WRITTEN_BYTES,
                    Counter.PAGE_WRITTEN_BYTES);
            forcedSyncs(file.pf());
        }
    }

    private void note(NoteKind kind, long weight, String text) {
        notes.add(new Note(kind, file.program(), file.name(), text, weight));
    }

    private void errors() {
        long writeErrors = file.pf() == null ? 0 : file.pf().getOrZero(Counter.WRITE_ERRORS);
        List<String> parts = new ArrayList<>();
        long failed = top.getOrZero(Counter.ERRORS);
        if (Threshold.ERRORS.isReachedBy(failed)) {
            Map<String, Long> kinds = top.errorKinds() == null ? Map.of() : top.errorKinds();
            parts.add(
                    calls(failed, "call")
                            + " failed: "
                            + kinds.entrySet().stream()
                                    .map(kind -> kind.getKey() + " " + kind.getValue())
                                    .collect(Collectors.joining(", ")));
        }
        if (Threshold.ERRORS.isReachedBy(writeErrors)) {
            parts.add(calls(writeErrors, "page write") + " of pf failed");
        }
        if (file.retries() + file.failures() > 0) {
            parts.add(
                    "recov: "
                            + calls(file.retries(), "attempt")
                            + ", "
                            + calls(file.failures(), "call")
                            + " given up");
        }
        if (!parts.isEmpty()) {
            note(NoteKind.ERRORS, failed + writeErrors + file.failures(), String.join("; ", parts));
        }
    }

    private void ends() {
        long opens = top.getOrZero(Counter.OPENS);
        long unfinished = top.getOrZero(Counter.UNFINISHED);
        long unclosed = top.getOrZero(Counter.UNCLOSED);
        if (unfinished > 0) {
            note(
                    NoteKind.UNFINISHED,
                    unfinished,
                    Amounts.count(unfinished) + " of " + calls(opens, "open") + " without an end");
        }
        if (unclosed > 0) {
            note(
                    NoteKind.UNCLOSED,
                    unclosed,
                    Amounts.count(unclosed) + " of " + calls(opens, "open") + " not closed");
        }
    }

    private void tiny(String what, Counter calls, Counter bytes, Counter nanos) {
        long count = top.get(calls);
        double mean = Row.quotient(top.get(bytes), count);
        if (Threshold.TINY_REQUEST_CALLS.isReachedBy(count)
                && mean < Threshold.TINY_REQUEST_BYTES.value()) {
            note(
                    NoteKind.TINY_REQUESTS,
                    count,
                    Amounts.count(count)
                            + " "
                            + what
                            + " of "
                            + Amounts.bytes(Math.round(mean))
                            + " on average, "
                            + TextReport.time(top, nanos)
                            + " in them");
        }
    }

    private void patterns() {
        boolean backward = pattern(NoteKind.BACKWARD, Counter.BACKWARD_BYTES, "backward");
        boolean strided = pattern(NoteKind.STRIDED, Counter.STRIDED_BYTES, "in steps of one width");
        long seeks = top.get(Counter.SEEKS);
        boolean many =
                Threshold.SEEKS.isReachedBy(seeks)
                        && Threshold.SEEKS_PERCENT.isReachedBy(seeks, row.calls());
        // Backward and strided passes consist of seeks as well, and have a note already.
        boolean random =
                Threshold.PATTERN_PERCENT.isReachedBy(top.get(Counter.RANDOM_BYTES), row.bytes());
        if (many && (random || !top.has(Counter.RANDOM_BYTES) || !backward && !strided)) {
            String share =
                    top.has(Counter.RANDOM_BYTES)
                            ? ", "
                                    + Amounts.percent(
                                            Row.quotient(
                                                    top.get(Counter.RANDOM_BYTES), row.bytes()))
                                    + " of the bytes in no order"
                            : "; in which order, JSON reports tell (MIO_STATS=name.jsonl)";
            note(
                    NoteKind.MANY_SEEKS,
                    seeks,
                    calls(seeks, "seek")
                            + " for "
                            + calls(row.calls(), "read or write", "reads and writes")
                            + ", "
                            + Amounts.bytes(Math.round(row.meanSeek()))
                            + " on average"
                            + share);
        }
    }

    private boolean pattern(NoteKind kind, Counter counter, String how) {
        long bytes = top.get(counter);
        if (!Threshold.PATTERN_BYTES.isReachedBy(bytes)
                || !Threshold.PATTERN_PERCENT.isReachedBy(bytes, row.bytes())) {
            return false;
        }
        // The advice is to use pf, so that only files without it get the note.
        if (file.pf() == null && file.auto() == null) {
            note(
                    kind,
                    bytes,
                    Amounts.bytes(bytes)
                            + " "
                            + how
                            + ", "
                            + Amounts.percent(Row.quotient(bytes, row.bytes()))
                            + " of all");
        }
        return true;
    }

    private void readAgain() {
        long read = top.get(Counter.READ_BYTES);
        long size = top.get(Counter.MAX_SIZE_BYTES);
        long processes = Math.max(1, file.processes());
        if (size <= 0 || file.name().equals(Names.OTHERS)) {
            return;
        }
        // Every process may read the file once.
        double once = (double) size * processes;
        if (read - once >= Threshold.READ_AGAIN_BYTES.value()
                && read * 100.0 >= once * Threshold.READ_AGAIN_PERCENT.value()) {
            note(
                    NoteKind.READ_AGAIN,
                    (long) (read - once),
                    Amounts.bytes(read)
                            + " read, the file has "
                            + Amounts.bytes(size)
                            + ": "
                            + Amounts.ratio(read / once)
                            + (processes > 1 ? " in each process" : ""));
        }
    }

    private void opens() {
        long opens = top.get(Counter.OPENS);
        long processes = Math.max(1, file.processes());
        if (Threshold.OPENS.isReachedBy(opens / processes) && !file.name().equals(Names.OTHERS)) {
            note(
                    NoteKind.MANY_OPENS,
                    opens,
                    "opened "
                            + Amounts.count(opens)
                            + " times"
                            + (processes > 1
                                    ? " by " + calls(processes, "process", "processes")
                                    : "")
                            + ", "
                            + (row.calls() < 0
                                    ? Amounts.NONE
                                    : calls(
                                            Math.round((double) row.calls() / opens),
                                            "read or write",
                                            "reads and writes"))
                            + " each time, "
                            + TextReport.time(top, Counter.OPEN_NS)
                            + " in open");
        }
    }

    private void extensions() {
        long extensions = top.get(Counter.EXTENSIONS);
        long writes = top.get(Counter.WRITES);
        double mean = Row.quotient(top.get(Counter.WRITE_REQUESTED_BYTES), writes);
        if (Threshold.EXTENSIONS.isReachedBy(extensions)
                && Threshold.EXTENSION_PERCENT.isReachedBy(extensions, writes)
                && mean < Threshold.EXTENSION_BYTES.value()) {
            note(
                    NoteKind.EXTENSIONS,
                    extensions,
                    "grew by "
                            + Amounts.count(extensions)
                            + " of "
                            + Amounts.count(writes)
                            + " writes, "
                            + Amounts.bytes(Math.round(mean))
                            + " each on average");
        }
    }

    private void fsyncs() {
        long fsyncs = top.get(Counter.FSYNCS);
        long nanos = top.get(Counter.FSYNC_NS);
        if (Threshold.FSYNCS.isReachedBy(fsyncs)
                && Threshold.FSYNC_PERCENT.isReachedBy(
                        nanos, top.sum(Counter.FSYNC_NS, Counter.IO_NS))) {
            note(
                    NoteKind.FSYNCS,
                    nanos,
                    calls(fsyncs, "fsync")
                            + " took "
                            + Amounts.time(nanos)
                            + ", reads and writes "
                            + Amounts.time(top.get(Counter.IO_NS)));
        }
    }

    private void layer(FileFigures.Layer layer, Counts counts) {
        long illFormed = counts.getOrZero(Counter.ILL_FORMED);
        long misaligned = counts.getOrZero(Counter.MISALIGNED);
        if (Threshold.ILL_FORMED.isReachedBy(Math.max(illFormed, misaligned))) {
            note(
                    NoteKind.ILL_FORMED,
                    illFormed + misaligned,
                    Amounts.count(illFormed)
                            + " ill-formed, "
                            + Amounts.count(misaligned)
                            + " in misaligned memory, at "
                            + layer);
        }
        long waited = counts.get(Counter.SUSPEND_NS);
        if (isLong(waited, counts.get(Counter.IO_NS))) {
            note(
                    NoteKind.SUSPENDS,
                    waited,
                    Amounts.time(waited)
                            + " in "
                            + calls(counts.getOrZero(Counter.SUSPENDS), "wait")
                            + " of "
                            + Amounts.time(counts.get(Counter.IO_NS))
                            + " in I/O, at "
                            + layer);
        }
    }

    private static boolean isLong(long waitNanos, long ioNanos) {
        return Threshold.WAIT_MILLISECONDS.isReachedBy(waitNanos / NANOS_PER_MILLISECOND)
                && Threshold.WAIT_PERCENT.isReachedBy(waitNanos, ioNanos);
    }

    private void prefetches(Counts pf) {
        long unused = pf.get(Counter.UNUSED_PREFETCHES);
        long started = pf.get(Counter.STARTED_PREFETCHES);
        if (Threshold.UNUSED_PREFETCHES.isReachedBy(unused)
                && Threshold.UNUSED_PREFETCH_PERCENT.isReachedBy(unused, started)) {
            note(
                    NoteKind.UNUSED_PREFETCHES,
                    unused,
                    Amounts.count(unused)
                            + " of "
                            + Amounts.count(started)
                            + " pages ("
                            + Amounts.percent(Row.quotient(unused, started))
                            + "), distance "
                            + Amounts.count(pf.getOrZero(Counter.DISTANCE_PAGES)));
        }
        long waited = pf.get(Counter.PREFETCH_WAIT_NS);
        if (isLong(waited, top.get(Counter.IO_NS))) {
            note(
                    NoteKind.PREFETCH_WAITS,
                    waited,
                    Amounts.time(waited)
                            + " in "
                            + calls(pf.getOrZero(Counter.PREFETCH_WAITS), "wait")
                            + " of "
                            + Amounts.time(top.get(Counter.IO_NS))
                            + " in I/O");
        }
    }

    private void amplification(NoteKind kind, String done, Counter program, Counter pages) {
        long asked = file.pf().get(program);
        long moved = file.pf().get(pages);
        if (asked >= 0
                && Threshold.AMPLIFICATION_BYTES.isReachedBy(moved - asked)
                && Threshold.AMPLIFICATION_PERCENT.isReachedBy(moved, Math.max(1, asked))) {
            String times = asked == 0 ? "" : ": " + Amounts.ratio(Row.quotient(moved, asked));
            note(
                    kind,
                    moved - asked,
                    Amounts.bytes(moved)
                            + " "
                            + done
                            + " by pf for "
                            + Amounts.bytes(asked)
                            + " of the program"
                            + times);
        }
    }

    private void forcedSyncs(Counts pf) {
        long forced = pf.get(Counter.FORCED_SYNCS);
        if (Threshold.FORCED_SYNCS.isReachedBy(forced)) {
            note(NoteKind.FORCED_SYNCS, forced, calls(forced, "page"));
        }
    }

    private static String calls(long count, String one) {
        return calls(count, one, one + "s");
    }

    private static String calls(long count, String one, String many) {
        return Amounts.count(count) + " " + (count == 1 ? one : many);
    }
}
