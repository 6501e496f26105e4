package io.mio.cli.plot;

import io.mio.cli.events.EventInput;
import io.mio.events.Event;
import io.mio.events.EventReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reduces an events file to what can be drawn, in two passes: {@link Survey} finds how long the run
 * is and which files matter, {@link RunBuilder} makes the marks. Memory is that of the marks, of
 * what is known of files, and of {@link EventReader}; all of it is bounded, whatever the file.
 */
public final class RunReader {
    /** Events that are read before progress is reported again. */
    private static final int BETWEEN_REPORTS = 1 << 16;

    private RunReader() {}

    /**
     * Reads an events file.
     *
     * @param label name of the run in pictures
     * @throws IOException if it cannot be read; the message is for users, with the name in it
     */
    public static RunPlot read(Path file, String label, PlotOptions options) throws IOException {
        FileTable table;
        Survey survey;
        long count = 0;
        try (EventReader reader = EventInput.open(file.toString())) {
            table = new FileTable(reader.files().values());
            survey = new Survey(table);
            var filter = options.filter().apply(reader);
            for (Event event = reader.next(); event != null; event = reader.next()) {
                report(++count, options);
                boolean seen =
                        event.kind() == Event.Kind.DROPPED
                                ? options.filtered().isEmpty()
                                : filter.test(event);
                if (seen) {
                    survey.add(event.bounded());
                }
            }
        }
        survey.finish(options.filesMax());
        try (EventReader reader = EventInput.open(file.toString())) {
            RunBuilder builder = new RunBuilder(reader, table, survey, options);
            for (Event event = reader.next(); event != null; event = reader.next()) {
                report(++count, options);
                builder.add(event);
            }
            return builder.run(label, file.toString());
        }
    }

    private static void report(long count, PlotOptions options) {
        if (count % BETWEEN_REPORTS == 0) {
            options.progress().accept(count);
        }
    }
}
