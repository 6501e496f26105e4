package io.mio.cli.plot;

import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import java.util.Set;

/**
 * Tells at which stage an opened file was seen, by the layer's place and neighbours.
 *
 * <p>The first layer below the program is {@link Stage#PROGRAM}, and so is one that has nothing but
 * recov above it. A lower one is {@link Stage#SYSTEM} if the system is next, or if nothing but
 * recov lies between pf and the system, such as the only trace layer in {@code [ pf | trace ]}. All
 * others are {@link Stage#BETWEEN}.
 */
final class Stages {
    /** Names of the last layer. */
    private static final Set<String> SYSTEM = Set.of("os", "aix", "posix");

    private Stages() {}

    static Stage of(EventFile file) {
        if (file.layer() == EventFormat.OF_PF) {
            return Stage.CACHE;
        }
        boolean first = file.place() <= 1 || (file.place() == 2 && file.above().equals("recov"));
        if (first) {
            return Stage.PROGRAM;
        }
        boolean last =
                SYSTEM.contains(file.below())
                        || (file.below().equals("recov") && file.above().equals("pf"));
        return last ? Stage.SYSTEM : Stage.BETWEEN;
    }
}
