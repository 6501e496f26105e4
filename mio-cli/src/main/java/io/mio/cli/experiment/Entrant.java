package io.mio.cli.experiment;

import java.nio.file.Path;
import java.util.List;

/**
 * One of the configurations that {@link Turns} compares.
 *
 * @param name name in tables
 * @param rule {@code [ layers ]}; empty for none of MIO
 * @param direct whether the program itself asks for direct I/O
 * @param files existing files, one for each thread; also block devices
 */
record Entrant(String name, String rule, boolean direct, List<Path> files) {
    /** Returns a description for the facts above a table. */
    String description() {
        String how = rule.isEmpty() ? "without MIO" : rule;
        return direct ? how + ", opened with O_DIRECT" : how;
    }
}
