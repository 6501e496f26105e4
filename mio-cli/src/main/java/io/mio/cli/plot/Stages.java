package io.mio.cli.plot;

import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import java.util.Set;

/** Tells at which stage an opened file was seen. */
final class Stages {
    /** Names under which the last layer is known. */
    private static final Set<String> SYSTEM = Set.of("os", "aix", "posix");

    private Stages() {}

    static Stage of(EventFile file) {
        if (file.layer() == EventFormat.OF_PF) {
            return Stage.CACHE;
        }
        if (file.place() <= 1) {
            return Stage.PROGRAM;
        }
        return SYSTEM.contains(file.below()) ? Stage.SYSTEM : Stage.BETWEEN;
    }
}
