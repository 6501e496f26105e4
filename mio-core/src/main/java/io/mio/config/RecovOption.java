package io.mio.config;

/** Options of the recov layer (reference 3.4). */
public enum RecovOption implements LayerOption {
    /** Writes that find no space are tried again; off: a part is enough. */
    FULLWRITE(
            OptionTraits.flag("fullwrite", true)
                    .off("partialwrite")
                    .since("0.1.0")
                    .says(
                            "A write that finds no space is tried again; `partialwrite` takes what"
                                    + " was written.")),
    /** Messages; {@link LayerSpec#text} is the file, {@code mioout} for that of MIO_STATS. */
    STATS(OptionTraits.stats("Messages about each attempt, and where they go.").since("0.1.0")),
    /** {@link LayerSpec#text} is the shell command to run after a failed write. */
    COMMAND(
            OptionTraits.string("command")
                    .preset("ls -l")
                    .since("0.1.0")
                    .says("Shell command to run when a write failed.")),
    /** {@link LayerSpec#text} is the shell command to run after a failed open. */
    OPEN_COMMAND(
            OptionTraits.string("open_command")
                    .preset("echo connection refused")
                    .since("0.1.0")
                    .says("Shell command to run when an open was refused (connection refused).")),
    /** Number of further attempts. */
    RETRY(
            OptionTraits.number("retry", OptionKind.INTEGER, 0, 1L << 30, "")
                    .preset("1")
                    .since("0.1.0")
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
