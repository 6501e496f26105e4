package io.mio.config;

/** Options of the last layer, in the order of the original's echo (reference 3.5). */
public enum OsOption implements LayerOption {
    /** Prints a line for each open and close. */
    DEBUG(
            OptionTraits.flag("debug", false)
                    .since("0.1.0")
                    .says("Prints a line when a file is opened and closed.")),
    /** Whether truncations are carried out. */
    TRUNC(
            OptionTraits.flag("trunc", true)
                    .since("0.1.0")
                    .says("Carries out truncations; `notrunc` leaves them out.")),
    /** Size of a sector, bytes; 0: what the file system says. */
    SECTOR_SIZE(
            OptionTraits.number("sector_size", OptionKind.SIZE, 0, 1L << 30, "bytes")
                    .preset("0")
                    .since("0.1.0")
                    .says(
                            "Size of a sector, the unit in which pages are read and written; 0"
                                    + " means what the file system says.")),
    /** Accepted and shown; has no effect. */
    EINPROGRESS(
            OptionTraits.number("einprogress", OptionKind.INTEGER, 0, 1L << 30, "")
                    .preset("60")
                    .since("0.1.0")
                    .says(
                            "Accepted and shown, without effect: the original shows it and does not"
                                    + " explain it."));

    @SuppressWarnings("ImmutableEnumChecker") // filled in here, read-only afterwards
    private final OptionTraits traits;

    OsOption(OptionTraits traits) {
        this.traits = traits;
    }

    @Override
    public OptionTraits traits() {
        return traits;
    }
}
