package io.mio.cli.advise;

import io.mio.cli.simulate.Device;
import io.mio.cli.stats.FileSum;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import java.util.List;

/** The door of this package for the command. */
public final class Advising {
    /** Of events; null: of reports. */
    private final Advised advised;

    private final Estimated estimated;

    /**
     * Looks at the recordings, and tries rules.
     *
     * @param events names of the events files, or of reports
     * @param files templates of the files that are looked at; none: all
     * @param memoryBytes of all caches together, at most
     * @param device given, or null; of reports nothing is tried, and null is taken for it
     * @param measured file to measure the device with, or null; likewise
     * @throws io.mio.cli.term.CliException if one cannot be read, or nothing is in it
     */
    public Advising(
            List<String> events,
            List<String> files,
            long memoryBytes,
            Device device,
            String measured,
            Progress progress) {
        if (areReports(events)) {
            advised = null;
            estimated = Estimated.of(events, files, memoryBytes, progress);
            return;
        }
        estimated = null;
        advised =
                Advisor.of(
                        new Advisor.Wish(events, files, memoryBytes, device, measured), progress);
    }

    /** True if all of them are reports, and not events. */
    public static boolean areReports(List<String> names) {
        return names.stream().allMatch(FileSum::isReport);
    }

    /** What is to be known beside the {@link #line}. */
    public List<String> notes() {
        return estimated != null ? estimated.notes() : advised.notes();
    }

    /** Whether a part of the events or reports could not be read; the notes say which. */
    public boolean isDamaged() {
        return estimated != null ? estimated.isDamaged() : advised.damaged();
    }

    /** For people. */
    public List<String> lines(Terminal terminal) {
        return estimated != null ? estimated.lines(terminal) : AdviceText.lines(advised, terminal);
    }

    /** For programs: one object on several lines. */
    public String json() {
        return estimated != null ? estimated.json() : AdviceJson.of(advised);
    }

    /** The value of {@code MIO_FILES} alone; empty: leave everything alone. */
    public String line() {
        return estimated != null ? estimated.line() : advised.line();
    }
}
