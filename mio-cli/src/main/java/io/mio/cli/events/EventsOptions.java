package io.mio.cli.events;

import java.nio.file.Path;
import java.util.Locale;

/**
 * What {@code mio events} is to do.
 *
 * @param filter which events
 * @param form form of the output
 * @param summary whether to show what the events add up to, instead of the events
 * @param json whether the summary is JSON
 * @param output null for standard output
 * @param limit most events
 * @param namesMax names of files that the summary keeps apart
 * @param top most files in the summary
 * @param anonymize whether to leave out names and numbers that tell whose it is
 * @param keepExtensions whether an anonymous name keeps what is behind its last point
 */
public record EventsOptions(
        FilterOptions filter,
        Form form,
        boolean summary,
        boolean json,
        Path output,
        long limit,
        int namesMax,
        int top,
        boolean anonymize,
        boolean keepExtensions) {
    /** Form of the output. */
    public enum Form {
        TEXT(true, false),
        CSV(true, false),
        JSONL(true, false),
        PERFETTO(false, true),
        CHROME(false, false),
        FIO(false, false),
        EVENTS(false, true);

        private final boolean several;
        private final boolean binary;

        Form(boolean several, boolean binary) {
            this.several = several;
            this.binary = binary;
        }

        /** Returns true if the output can hold several files, one after another. */
        public boolean takesSeveral() {
            return several;
        }

        /** Returns true if the form is not for a terminal. */
        public boolean isBinary() {
            return binary;
        }

        /** Returns the name as typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
