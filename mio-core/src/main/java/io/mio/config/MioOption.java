package io.mio.config;

/** Options of the front layer (reference 3.1). The original never echoes this layer. */
public enum MioOption implements LayerOption {
    /** Permission bits of a file that is made; not set: those the program gave. */
    MODE(
            OptionTraits.number("mode", OptionKind.INTEGER, 0, 07777, "")
                    .octal()
                    .off("nomode")
                    .since("0.1.0")
                    .says(
                            "Permission bits, in octal, of a file that is made, instead of those"
                                    + " the program gave; `nomode` leaves the program's.")),
    /** Not set: as the program opened the file; on: direct I/O; off: buffered. */
    DIRECT(
            OptionTraits.triState("direct")
                    .since("0.1.0")
                    .says(
                            "Opens the file for direct I/O (O_DIRECT); `nodirect` takes that away"
                                + " from a program that asks for it. Neither: as the program opens"
                                + " it.")),
    /**
     * Not set: as the program opened the file; on: every write waits for the device; off: none
     * does.
     */
    OSYNC(
            OptionTraits.triState("osync")
                    .since("0.1.0")
                    .says(
                            "Every write waits until the device has it (O_SYNC); `noosync` takes"
                                    + " that away from a program that asks for it. Neither: as the"
                                    + " program opens it.")),
    /** Concurrent I/O: writes of one file do not wait for each other (design section 4). */
    CIO(
            OptionTraits.flag("cio", false)
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Concurrent I/O: reads and writes of one file run side by side; the"
                                    + " program itself keeps overlapping ones apart."));

    @SuppressWarnings("ImmutableEnumChecker") // filled in here, read-only afterwards
    private final OptionTraits traits;

    MioOption(OptionTraits traits) {
        this.traits = traits;
    }

    @Override
    public OptionTraits traits() {
        return traits;
    }
}
