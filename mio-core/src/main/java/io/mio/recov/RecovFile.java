package io.mio.recov;

import io.mio.stats.StatsOutput;

/** What all calls on one open file, or one open, have in common: options, messages, commands. */
final class RecovFile {
    private final RecovOptions options;
    private final String file;
    private final StatsOutput output;
    private final RecovCommand commands;

    RecovFile(RecovOptions options, String file, StatsOutput output) {
        this(options, file, output, new RecovCommand(!ProcessRights.areRaised()));
    }

    /** Takes commands that run in another way, for tests. */
    RecovFile(RecovOptions options, String file, StatsOutput output, RecovCommand commands) {
        this.options = options;
        this.file = file;
        this.output = output;
        this.commands = commands;
    }

    RecovOptions options() {
        return options;
    }

    String file() {
        return file;
    }

    StatsOutput output() {
        return output;
    }

    RecovCommand commands() {
        return commands;
    }
}
