package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.EventReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Reduces an events file to what can be drawn, in two passes. */
public final class RunReader {
    private RunReader() {}

    /**
     * Reads an events file.
     *
     * @param label what the run is called in pictures
     * @throws io.mio.events.EventFormatException if it is no events file
     * @throws IOException if it cannot be read
     */
    public static RunPlot read(Path file, String label, PlotOptions options) throws IOException {
        Survey survey;
        try (EventReader reader = EventReader.open(file)) {
            survey = new Survey(reader.files());
            Predicate<Event> filter = options.filter().apply(reader);
            for (Event event = reader.next(); event != null; event = reader.next()) {
                if (filter.test(event)) {
                    survey.add(event);
                }
            }
        }
        survey.finish(options.filesMax());
        try (EventReader reader = EventReader.open(file)) {
            return marks(file, label, options, survey, reader);
        }
    }

    private static RunPlot marks(
            Path file, String label, PlotOptions options, Survey survey, EventReader reader)
            throws IOException {
        MarkList list = new MarkList();
        DistributionBuilder latency =
                new DistributionBuilder(survey.beginNanos(), survey.endNanos());
        DistributionBuilder sizes = new DistributionBuilder(survey.beginNanos(), survey.endNanos());
        EventMarks marks = new EventMarks(reader.files(), survey, list::add);
        List<Loss> losses = new ArrayList<>();
        Predicate<Event> filter = options.filter().apply(reader);
        for (Event event = reader.next(); event != null; event = reader.next()) {
            if (event.kind() == Event.Kind.DROPPED) {
                losses.add(new Loss(event.startNanos(), event.endNanos(), event.requested()));
            } else if (filter.test(event)) {
                marks.add(event);
                What what = event.kind() == Event.Kind.PAGE ? null : EventMarks.whatOfCall(event);
                if (what != null && what.isTransfer() && reader.files().containsKey(event.file())) {
                    int series = marks.series(reader.files().get(event.file()), what);
                    latency.add(series, event.endNanos(), event.durationNanos());
                    sizes.add(series, event.endNanos(), event.delivered());
                }
            }
        }
        marks.finish();
        list.sort();
        long events = 0;
        for (int i = 0; i < list.size(); i++) {
            events += list.get(i).events();
        }
        return new RunPlot(
                label,
                file.toString(),
                reader.header(),
                survey.beginNanos(),
                survey.endNanos(),
                events,
                survey.files(),
                marks.series(),
                List.of(new Level(0, 0, list)),
                latency.distribution(),
                sizes.distribution(),
                losses,
                List.of());
    }
}
