package io.mio.cli.experiment;

import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The result of an experiment, to be shown and to be kept. */
public final class Outcome {
    private final Finished finished;

    Outcome(Finished finished) {
        this.finished = finished;
    }

    /** Returns the text for people, without line ends. */
    public List<String> lines(Terminal terminal) {
        return new ResultText(finished).lines(terminal);
    }

    /** Returns the object for JSON. */
    public Map<String, Object> object() {
        return new ResultData(finished).object();
    }

    /**
     * Writes the files of the result, in place of those of the last time.
     *
     * @return their names
     */
    public List<String> write(Path dir) throws IOException {
        return new ResultFiles(dir).write(finished);
    }

    /**
     * Checks that the files can be written there.
     *
     * @throws io.mio.cli.term.CliException if not
     */
    public static void check(Path dir) {
        new ResultFiles(dir);
    }
}
