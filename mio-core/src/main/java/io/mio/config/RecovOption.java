package io.mio.config;

/** Options of the recov layer (reference 3.4). */
public enum RecovOption implements LayerOption {
    /** Writes that find no space are tried again; off: a part is enough. */
    FULLWRITE(
            OptionTraits.flag("fullwrite", true)
                    .off("partialwrite")
                    .says(
                            "A write that finds no space is tried again; `partialwrite` takes what"
                                    + " was written.")),
    /** Messages; {@link LayerSpec#text} is the file, {@code mioout} for that of MIO_STATS. */
    STATS(OptionTraits.stats("Messages about each attempt, and where they go.")),
    /** {@link LayerSpec#text} is the shell command to run after a failed write. */
    COMMAND(
            OptionTraits.string("command")
                    .preset("ls -l")
                    .says("Shell command to run when a write failed.")),
    /** {@link LayerSpec#text} is the shell command to run after a failed open. */
    OPEN_COMMAND(
            OptionTraits.string("open_command")
                    .preset("echo connection refused")
                    .says("Shell command to run when an open was refused (connection refused).")),
    /** Further attempts. */
    RETRY(
            OptionTraits.number("retry", OptionKind.INTEGER, 0, 1L << 30, "")
                    .preset("1")
                    .says("Number of further attempts."));

    @SuppressWarnings("ImmutableEnumChecker") // filled in here, read-only afterwards
    private final OptionTraits traits;

    RecovOption(OptionTraits traits) {
        this.traits = traits;
    }

    @Override
    public OptionTraits traits() {
        return traits;
    }
}
