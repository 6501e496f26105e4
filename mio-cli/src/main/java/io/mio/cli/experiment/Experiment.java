package io.mio.cli.experiment;

import java.io.IOException;

/** One question, the set-up that answers it, and what a document says about it. */
public interface Experiment {
    /** For the command line and for files: letters, digits and {@code _}. */
    String name();

    /** What is asked, as one sentence with a question mark. */
    String question();

    /** Where the figures beside the measured ones come from, in a few words. */
    String document();

    /** What it needs with these settings; on no account exact. */
    Estimate estimate(Settings settings);

    /**
     * Runs it. What it starts and makes is left to the context to stop and remove.
     *
     * @throws SkippedException if it cannot be done here
     * @throws IOException if it fails
     */
    Result run(Context context) throws IOException, InterruptedException;
}
