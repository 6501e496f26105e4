package io.mio.cli.advise;

import io.mio.cli.simulate.Device;
import io.mio.cli.stats.FileSum;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import java.util.List;

/** Entry of this package for the command {@code mio advise}. */
public final class Advising {
    /** The advice from events; null if the inputs are reports. */
    private final Advised advised;

    private final Estimated estimated;

    /**
     * Reads the recordings and tries rules; from reports, estimates what rules could gain.
     *
     * @param events names of the events files, or of reports
     * @param files templates of the files that are looked at; none: all
     * @param memoryBytes most memory of all caches together
     * @param device the device, or null; not used with reports, with which nothing is tried
     * @param measured file to measure the device with, or null; not used with reports
     * @throws io.mio.cli.term.CliException if an input cannot be read, or has nothing in it
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
        for (String name : events) {
            if (FileSum.isReport(name)) {
                throw new CliException(
                        name
                                + ": is a report: recordings and reports cannot be mixed; name"
                                + " those of one kind");
            }
        }
        estimated = null;
        advised =
                Advisor.of(
                        new Advisor.Wish(events, files, memoryBytes, device, measured), progress);
    }

    /** True if all these files are reports, and none has events. */
    public static boolean areReports(List<String> names) {
        return names.stream().allMatch(FileSum::isReport);
    }

    /** What a reader has to know beside the {@link #line}, a line each. */
    public List<String> notes() {
        return estimated != null ? estimated.notes() : advised.notes();
    }

    /** Whether a part of the events or reports could not be read; the notes say which. */
    public boolean isDamaged() {
        return estimated != null ? estimated.isDamaged() : advised.damaged();
    }

    /** The advice for people, in lines. */
    public List<String> lines(Terminal terminal) {
        return estimated != null ? estimated.lines(terminal) : AdviceText.lines(advised, terminal);
    }

    /** The advice for programs: one JSON object on several lines. */
    public String json() {
        return estimated != null ? estimated.json() : AdviceJson.of(advised);
    }

    /** The value of {@code MIO_FILES} alone; empty: leave everything alone. */
    public String line() {
        return estimated != null ? estimated.line() : advised.line();
    }
}
