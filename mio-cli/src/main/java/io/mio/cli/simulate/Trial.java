package io.mio.cli.simulate;

import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import io.mio.events.EventHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * One recording on which rules are tried, a different one for each file, to find the best. Files
 * without a rule take the times that were recorded.
 */
public final class Trial {
    private final String events;
    private final Recording recording;
    private final Survey survey = new Survey();
    private final Progress progress;

    /**
     * Reads the recording once, to find out what is in it.
     *
     * @param files templates of the files that are taken; none: all
     * @param taker is told what is in the recording, as it comes
     * @throws CliException if the recording cannot be read, or has nothing to simulate
     */
    public Trial(String events, List<String> files, SurveyTaker taker, Progress progress) {
        this.events = events;
        this.progress = progress;
        try {
            recording = new Recording(events, files);
            recording.survey(
                    survey, taker, seen -> progress.show(events + ": " + seen + " events"));
        } catch (IOException e) {
            throw new CliException(e.getMessage());
        }
        Simulation.check(events, files, recording, survey);
    }

    /**
     * Measures a device with a file that lies on it.
     *
     * @throws CliException if the file cannot be read past the page cache, or is too small
     */
    public static Device measure(String file) {
        return DeviceMeasure.of(file);
    }

    /** Name of the events file. */
    public String name() {
        return events;
    }

    /** Header of the events file. */
    public EventHeader header() {
        return recording.header();
    }

    /** Paths of all files that were recorded, also of those that are not taken. */
    public Set<String> paths() {
        return recording.paths();
    }

    /** Whether some of the files had a cache while they were recorded. */
    public boolean isCached() {
        return recording.isCached();
    }

    /** Time from the first call to the end of the last one, with what recording took. */
    public long recordedNanos() {
        return survey.nanos();
    }

    /** Whether a part of the recording could not be read. */
    public boolean isDamaged() {
        return recording.isDamaged();
    }

    /** What a reader of the results has to know of the recording, a line each. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>(recording.notes());
        notes.addAll(survey.notes());
        return notes;
    }

    /**
     * The device as far as the recording shows it, or null if it does not. Page requests are
     * preferred, because they tell more than calls of the program.
     */
    public Device seen() {
        Device pages = survey.device();
        return pages != null ? pages : survey.deviceOfProgram();
    }

    /**
     * Plays the recording.
     *
     * @param rules tells the rule of a file by its path
     * @param what is done, for the display of progress
     */
    public Outcome play(Function<String, Rule> rules, Device device, String what) {
        try {
            return new Replay(file -> rules.apply(file.path()), device, recording)
                    .run(null, seen -> progress.show(what + ": " + seen));
        } catch (IOException e) {
            throw new CliException(e.getMessage());
        }
    }
}
