package io.mio.cli.advise;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.stats.TraceOperation;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The profiles of all files of a recording, by their paths. */
final class Profiles {
    private final Map<String, FileProfile> byPath = new LinkedHashMap<>();
    private final OpenLog opens = new OpenLog();

    void add(Event event, EventFile file) {
        if (event.kind() == Event.Kind.CALL || event.kind() == Event.Kind.END) {
            FileProfile profile = byPath.computeIfAbsent(file.path(), FileProfile::new);
            profile.add(event, file);
            if (event.operation() == TraceOperation.OPEN) {
                opens.opened(profile, file.process());
            } else if (event.operation() == TraceOperation.CLOSE) {
                opens.closed(profile, file.process());
            }
        }
    }

    /** All files, those together that one name stands for. */
    List<Group> groups(Collection<String> paths) {
        List<Group> groups = Grouping.of(all(), paths);
        opens.count(groups);
        return groups;
    }

    /** What comes now is of another recording, in which numbers of opens begin anew. */
    void nextRecording() {
        byPath.values().forEach(FileProfile::forgetOpens);
        opens.nextRecording();
    }

    List<FileProfile> all() {
        return List.copyOf(byPath.values());
    }
}
