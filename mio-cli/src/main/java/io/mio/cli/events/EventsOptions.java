package io.mio.cli.events;

import java.nio.file.Path;
import java.util.Locale;

/**
 * What {@code mio events} is to do.
 *
 * @param filter which events
 * @param form of the output
 * @param summary what they add up to, instead of the events
 * @param json the summary as JSON
 * @param output null for standard output
 * @param limit events at most
 * @param namesMax names of files that the summary keeps apart
 * @param top files in the summary at most
 * @param anonymize without names and numbers that tell whose it is
 * @param keepExtensions what is behind the last point of a name is kept
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

        /** True if several files can follow one another in it. */
        public boolean takesSeveral() {
            return several;
        }

        /** True if it is nothing for a terminal. */
        public boolean isBinary() {
            return binary;
        }

        /** As typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
