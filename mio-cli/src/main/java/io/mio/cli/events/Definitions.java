package io.mio.cli.events;

import io.mio.events.EventFile;
import io.mio.events.EventHeader;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import java.util.Comparator;
import java.util.List;

/**
 * The parts of an events file other than its events.
 *
 * @param processes in the order in which they began
 * @param files in the order of their ids
 */
record Definitions(EventHeader header, List<EventProcess> processes, List<EventFile> files) {
    /** Returns the definitions with those files only whose events the filter may choose. */
    static Definitions of(EventReader reader, EventFilter filter) {
        return new Definitions(
                reader.header(),
                reader.processes(),
                reader.files().values().stream()
                        .filter(filter::test)
                        .sorted(Comparator.comparing(file -> Integer.toUnsignedLong(file.id())))
                        .toList());
    }
}
