package io.mio.cli.advise;

import io.mio.cli.simulate.SurveyTaker;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.stats.TraceOperation;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The profiles of all files of one or more recordings, by their paths. */
final class Profiles implements SurveyTaker {
    /** Identifies a file to the kernel. */
    private record Inode(long device, long number) {
        /** The file; null if it is not known to the recording. */
        static Inode of(EventFile file) {
            boolean known = file.device() != 0 || file.inode() != 0;
            return known ? new Inode(file.device(), file.inode()) : null;
        }
    }

    private final Map<String, FileProfile> byPath = new LinkedHashMap<>();
    private final Map<Inode, Set<FileProfile>> byInode = new HashMap<>();

    /** Files that are written by opens that have no profile. */
    private final Set<Inode> written = new HashSet<>();

    /** Opens of the current recording whose profiles are in {@link #byInode}. */
    private final Set<Integer> seen = new HashSet<>();

    private final OpenLog opens = new OpenLog();

    /** Number of the current recording. */
    private int recording;

    @Override
    public void written(EventFile file) {
        Inode inode = Inode.of(file);
        if (inode != null) {
            written.add(inode);
        }
    }

    @Override
    public void take(Event event, EventFile file, int door) {
        if (event.kind() == Event.Kind.CALL || event.kind() == Event.Kind.END) {
            FileProfile profile = byPath.computeIfAbsent(file.path(), FileProfile::new);
            profile.add(event, file, recording, door);
            Inode inode = seen.add(event.file()) ? Inode.of(file) : null;
            if (inode != null) {
                byInode.computeIfAbsent(inode, any -> new HashSet<>()).add(profile);
            }
            if (event.operation() == TraceOperation.OPEN) {
                opens.opened(profile, file.process());
            } else if (event.operation() == TraceOperation.CLOSE) {
                opens.closed(profile, file.process());
            }
        }
    }

    /**
     * Groups all files; those that one name stands for are together.
     *
     * @param paths of all files that names must not match by accident
     */
    List<Group> groups(Collection<String> paths) {
        byInode.forEach(
                (inode, names) -> {
                    if (names.size() > 1) {
                        names.forEach(name -> name.aliases = names);
                    }
                    if (written.contains(inode)
                            || names.stream().anyMatch(name -> name.writtenBytes > 0)) {
                        names.forEach(name -> name.writtenElsewhere = name.writtenBytes == 0);
                    }
                });
        List<Group> groups = Grouping.of(all(), paths);
        opens.count(groups);
        return groups;
    }

    /** What follows is of another recording, in which the numbers of opens begin anew. */
    void nextRecording() {
        recording++;
        byPath.values().forEach(FileProfile::nextRecording);
        opens.nextRecording();
        seen.clear();
    }

    List<FileProfile> all() {
        return List.copyOf(byPath.values());
    }
}
