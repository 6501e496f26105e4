package io.mio.cli.plot;

import io.mio.cli.events.FileFacts;
import io.mio.events.Event;
import io.mio.events.EventHeader;
import io.mio.events.EventReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The second pass over a run: makes everything that can be drawn out of its events, one by one. */
final class RunBuilder {
    /** Each level has so many times fewer marks than the next finer one. */
    private static final int LEVEL_FACTOR = 8;

    private static final int LEVELS = 2;
    private static final int LEAST_MARKS = 300;

    private final EventReader reader;
    private final FileTable table;
    private final Survey survey;
    private final PlotOptions options;
    private final Predicate<Event> filter;

    private final SeriesTable series;

    /** The levels that are made, from coarse to fine. */
    private final MarkStore[] stores = new MarkStore[LEVELS];

    private final EventMarks marks;
    private final FileTotals totals;
    private final Programs programs;
    private final DistributionBuilder latency;
    private final DistributionBuilder sizes;
    private final Submissions submissions = new Submissions();
    private final LossList losses = new LossList();
    private long undefined;
    private long late;

    RunBuilder(EventReader reader, FileTable table, Survey survey, PlotOptions options) {
        this.reader = reader;
        this.table = table;
        this.survey = survey;
        this.options = options;
        this.filter = options.filter().apply(reader);
        Scale scale = survey.scale();
        series = new SeriesTable(survey.drawnCount());
        int room = options.marksMax();
        for (int level = LEVELS - 1; level >= 0; level--) {
            stores[level] = new MarkStore(room, scale, series);
            room = Math.max(Math.min(room, LEAST_MARKS), room / LEVEL_FACTOR);
        }
        marks = new EventMarks(table, survey, series, filter, this::store);
        totals = new FileTotals(table, survey);
        programs = new Programs(reader);
        latency = new DistributionBuilder(survey.beginNanos(), survey.endNanos());
        sizes = new DistributionBuilder(survey.beginNanos(), survey.endNanos());
    }

    private void store(MarkRow row) {
        for (MarkStore store : stores) {
            store.add(row);
        }
    }

    void add(Event recorded) {
        Event event = recorded.bounded();
        if (event.kind() == Event.Kind.DROPPED) {
            lost(event);
            return;
        }
        boolean chosen = filter.test(event);
        int definition = table.definition(event.file());
        if (definition < 0) {
            boolean later = reader.files().containsKey(event.file());
            undefined += chosen && !later ? 1 : 0;
            late += chosen && later ? 1 : 0;
            return;
        }
        int drawn = survey.drawn(table.file(definition));
        boolean known = drawn >= 0 && survey.spans(event);
        late += chosen && !known ? 1 : 0;
        boolean seen = chosen && known;
        if (event.kind() == Event.Kind.PAGE) {
            marks.page(event, definition, seen);
            if (seen) {
                totals.add(event, definition, drawn, null);
            }
            return;
        }
        submissions.add(event, table.stage(definition), seen);
        What what = seen ? EventMarks.whatOfCall(event) : null;
        if (what == null) {
            return;
        }
        totals.add(event, definition, drawn, what);
        programs.add(event, what.isTransfer());
        marks.call(event, definition, drawn, what);
        if (what.isTransfer()) {
            int index = series.index(drawn, table.stage(definition), what);
            latency.add(index, event.endNanos(), event.durationNanos());
            sizes.add(index, event.endNanos(), event.delivered());
        }
    }

    private void lost(Event event) {
        boolean within =
                event.startNanos() <= survey.endNanos() && event.endNanos() >= survey.beginNanos();
        if (within) {
            losses.add(event.startNanos(), event.endNanos(), event.requested());
        }
    }

    /** Returns the run; there are no more events. */
    RunPlot run(String label, String source) {
        marks.finish();
        List<Level> levels = new ArrayList<>();
        for (int level = 0; level < LEVELS; level++) {
            boolean same =
                    level + 1 < LEVELS
                            && stores[level].doublings() == stores[level + 1].doublings();
            if (!same) {
                levels.add(stores[level].level());
            }
            stores[level] = null;
        }
        List<PlotFile> files = totals.files();
        PlotNotes notes = new PlotNotes();
        notes.nothing(marks.events());
        notes.filter(options.filtered());
        notes.merged(marks.events(), levels.get(levels.size() - 1));
        notes.joined(survey);
        Unrecorded unrecorded = unrecorded(notes.sampled(table, survey, files));
        notes.dropped(
                reader.header(),
                losses,
                unrecorded.untimed(),
                unrecorded.stopped() ? survey.endNanos() : -1);
        if (unrecorded.stopped()) {
            losses.add(survey.endNanos(), survey.endNanos(), unrecorded.untimed());
        }
        notes.missing(reader.losses(), undefined);
        notes.late(late);
        notes.pending(submissions, marks.pages());
        return new RunPlot(
                label,
                source,
                reader.header(),
                programs.names(),
                survey.beginNanos(),
                survey.endNanos(),
                marks.events(),
                files,
                survey.fileCount(),
                totals.busyNanos(),
                series.all(),
                levels,
                latency.distribution(series.all().size()),
                sizes.distribution(series.all().size()),
                losses.losses(),
                unrecorded,
                notes.notes(),
                FileFacts.unread(reader.losses()));
    }

    /**
     * Returns what is missing. Where only a part of the run is drawn, it is not known where
     * recording stopped.
     */
    private Unrecorded unrecorded(long sample) {
        EventHeader header = reader.header();
        long all = Math.max(header.dropped(), losses.events());
        long untimed = all - losses.events();
        boolean stopped =
                untimed > 0
                        && PlotNotes.isFull(header)
                        && options.filtered().isEmpty()
                        && survey.fileCount() > 0;
        return new Unrecorded(all, untimed, sample, stopped);
    }
}
