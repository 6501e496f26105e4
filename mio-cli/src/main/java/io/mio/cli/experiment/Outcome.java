package io.mio.cli.experiment;

import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What an experiment came to, to be shown and to be kept. */
public final class Outcome {
    private final Finished finished;

    Outcome(Finished finished) {
        this.finished = finished;
    }

    /** For people, without line ends. */
    public List<String> lines(Terminal terminal) {
        return new ResultText(finished).lines(terminal);
    }

    /** For JSON. */
    public Map<String, Object> object() {
        return new ResultData(finished).object();
    }

    /**
     * Writes its files, in place of those of the last time.
     *
     * @return their names
     */
    public List<String> write(Path dir) throws IOException {
        return new ResultFiles(dir).write(finished);
    }

    /**
     * Looks whether that will be possible.
     *
     * @throws io.mio.cli.term.CliException if not
     */
    public static void check(Path dir) {
        new ResultFiles(dir);
    }
}
