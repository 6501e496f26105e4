package io.mio.cli.stats;

import java.util.List;
import java.util.Locale;

/**
 * What a report of {@code mio stats} is to show.
 *
 * @param by what has a row
 * @param sort what rows are sorted by, largest first; names from A to Z
 * @param reverse whether the order is reversed
 * @param top most rows
 * @param files patterns of names, as in rules; empty for all
 * @param notes whether there are notes
 * @param namesMax names of files that are kept apart
 */
public record StatsOptions(
        By by,
        Sort sort,
        boolean reverse,
        int top,
        List<String> files,
        boolean notes,
        int namesMax) {
    /**
     * Returns the options for the table of programs above the files: the first ones that took
     * longest.
     */
    StatsOptions byProgram() {
        return new StatsOptions(By.PROGRAM, Sort.TIME, false, PROGRAMS_TOP, files, notes, namesMax);
    }

    private static final int PROGRAMS_TOP = 10;

    /** What has a row. */
    public enum By {
        FILE,
        PROGRAM,
        PROCESS,
        LAYER,
        TOTAL;

        /** Returns the name as typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Form of the output. */
    public enum Format {
        TABLE,
        CSV,
        OPENMETRICS,
        JSON;

        /** Returns the name as typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What rows are sorted by. */
    public enum Sort {
        TIME,
        BYTES,
        CALLS,
        RATE,
        READS,
        WRITES,
        READ,
        WRITTEN,
        REQUEST,
        OPENS,
        SEEKS,
        HITS,
        ERRORS,
        NAME;

        /** Returns the name as typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the figure to sort by; NaN or negative if it is not known. */
        double value(Row row) {
            return switch (this) {
                case TIME -> row.get(Counter.IO_NS);
                case BYTES -> row.bytes();
                case CALLS -> row.calls();
                case RATE -> row.rate();
                case READS -> row.get(Counter.READS);
                case WRITES -> row.get(Counter.WRITES);
                case READ -> row.get(Counter.READ_BYTES);
                case WRITTEN -> row.get(Counter.WRITTEN_BYTES);
                case REQUEST -> row.meanRequest();
                case OPENS -> row.get(Counter.OPENS);
                case SEEKS -> row.get(Counter.SEEKS);
                case HITS -> row.hitShare();
                case ERRORS -> row.get(Counter.ERRORS);
                case NAME -> 0;
            };
        }
    }
}
