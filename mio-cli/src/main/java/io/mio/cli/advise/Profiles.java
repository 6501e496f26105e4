package io.mio.cli.advise;

import io.mio.events.Event;
import io.mio.events.EventFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The profiles of all files of a recording, by their paths. */
final class Profiles {
    private final Map<String, FileProfile> byPath = new LinkedHashMap<>();

    void add(Event event, EventFile file) {
        if (event.kind() == Event.Kind.CALL || event.kind() == Event.Kind.END) {
            byPath.computeIfAbsent(file.path(), FileProfile::new).add(event, file);
        }
    }

    /** What comes now is of another recording, in which numbers of opens begin anew. */
    void nextRecording() {
        byPath.values().forEach(FileProfile::forgetOpens);
    }

    List<FileProfile> all() {
        return List.copyOf(byPath.values());
    }
}
