package io.mio.config;

/** Options of the trace layer, in the order of the original's echo (reference 3.2). */
public enum TraceOption implements LayerOption {
    /**
     * Report at close; {@link LayerSpec#text} is the file, {@code mioout} for that of MIO_STATS.
     */
    STATS(OptionTraits.stats("Report when the file is closed, and where it goes.").since("0.1.0")),
    /** Binary events; {@link LayerSpec#text} is the file. */
    EVENTS(
            OptionTraits.string("events")
                    .bare("trace.events")
                    .off("noevents")
                    .presetOff()
                    .since("0.1.0")
                    .says(
                            "One binary record per call, and the file for them; `trace.events` if"
                                    + " none is given.")),
    /** Unit of the report: the label of a {@code ByteUnit}. */
    UNIT(
            OptionTraits.reportUnit()
                    .since("0.1.0")
                    .says(
                            "Unit of the report: powers of 1024. Sizes of single requests are"
                                    + " always in bytes.")),
    /** Allows intermediate reports while the file is open. */
    INTER(
            OptionTraits.flag("inter", false)
                    .since("0.1.0")
                    .says("Reports on demand while the file is open, too.")),
    /** Most bytes of the events file. */
    EVENTS_LIMIT(
            OptionTraits.number("events_limit", OptionKind.SIZE, 0, Long.MAX_VALUE, "bytes")
                    .preset("1g")
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Most bytes the events file may have; what comes then is dropped and"
                                    + " counted.")),
    /** One call in this many is recorded. */
    EVENTS_SAMPLE(
            OptionTraits.number("events_sample", OptionKind.INTEGER, 1, Integer.MAX_VALUE, "")
                    .preset("1")
                    .extension()
                    .since("0.1.0")
                    .says(
                            "One call in so many is recorded; opens, closes and what fails always"
                                    + " are."));

    @SuppressWarnings("ImmutableEnumChecker") // filled in here, read-only afterwards
    private final OptionTraits traits;

    TraceOption(OptionTraits traits) {
        this.traits = traits;
    }

    @Override
    public OptionTraits traits() {
        return traits;
    }
}
