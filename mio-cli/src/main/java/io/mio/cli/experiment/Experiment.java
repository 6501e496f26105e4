package io.mio.cli.experiment;

import java.io.IOException;

/** One question, the set-up that answers it, and what a document says about it. */
public interface Experiment {
    /** Returns the name for the command line and for files: letters, digits and {@code _}. */
    String name();

    /** Returns the question, as one sentence with a question mark. */
    String question();

    /** Returns where the figures beside the measured ones come from, in a few words. */
    String document();

    /** Returns roughly what the experiment needs with these settings. */
    Estimate estimate(Settings settings);

    /**
     * Runs the experiment. The context stops and removes what it starts and makes.
     *
     * @throws SkippedException if it cannot be done here
     * @throws IOException if it fails
     */
    Result run(Context context) throws IOException, InterruptedException;
}
