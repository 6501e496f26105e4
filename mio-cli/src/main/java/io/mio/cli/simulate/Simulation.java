package io.mio.cli.simulate;

import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import io.mio.events.EventHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One recording, simulated with several configurations.
 *
 * @param events name of the events file
 * @param header of the events file
 * @param cached whether some of its files had a cache
 * @param transfers reads and writes of the program
 * @param recordedNanos from the first call to the end of the last one
 * @param device that the requests go to
 * @param outcomes in the order of their times; those whose time is not known are last
 * @param notes what a reader has to know, a line each
 * @param damaged whether a part of the recording could not be read
 */
public record Simulation(
        String events,
        EventHeader header,
        boolean cached,
        long transfers,
        long recordedNanos,
        Device device,
        List<Outcome> outcomes,
        List<String> notes,
        boolean damaged) {
    /**
     * Reads the recording and simulates it with each rule.
     *
     * @param files templates of the files that are taken; none: all
     * @param given the device, or null
     * @param measured name of a file to measure the device with, or null
     * @throws CliException if the recording cannot be read, or has nothing to simulate
     */
    public static Simulation of(
            String events,
            List<String> files,
            List<Rule> rules,
            Device given,
            String measured,
            Progress progress) {
        Survey survey = new Survey();
        try {
            Recording recording = new Recording(events, files);
            recording.survey(survey, seen -> progress.show(events + ": " + seen + " events"));
            check(events, files, recording, survey);
            Device device = device(given, measured, survey);
            List<Outcome> outcomes = new ArrayList<>();
            for (Rule rule : rules) {
                outcomes.add(
                        rule.isNone()
                                ? alone(rule, recording, device, progress)
                                : play(rule, recording, device, progress));
            }
            outcomes.sort(
                    Comparator.comparingLong(
                            one -> one.timeNanos() < 0 ? Long.MAX_VALUE : one.timeNanos()));
            List<String> notes = new ArrayList<>(recording.notes());
            notes.addAll(survey.notes());
            return new Simulation(
                    events,
                    recording.header(),
                    recording.isCached(),
                    survey.transfers(),
                    survey.nanos(),
                    device,
                    outcomes,
                    notes,
                    recording.isDamaged());
        } catch (IOException e) {
            throw new CliException(e.getMessage());
        }
    }

    static void check(String events, List<String> files, Recording recording, Survey survey) {
        if (recording.isEmpty()) {
            List<String> why = new ArrayList<>();
            if (!files.isEmpty()) {
                why.add("has no calls of files that fit " + String.join(", ", files));
            } else if (recording.notes().isEmpty()) {
                why.add("has no calls; trace/events=FILE or mio run --events records them");
            }
            recording.notes().stream().limit(1).forEach(why::add);
            throw new CliException(events + ": " + String.join("; ", why));
        }
        if (survey.transfers() == 0) {
            throw new CliException(
                    events + ": has no reads and writes, so that there is nothing to simulate");
        }
    }

    private static Device device(Device given, String measured, Survey survey) {
        if (given != null) {
            return given;
        }
        if (measured != null) {
            return DeviceMeasure.of(measured);
        }
        Device seen = survey.device();
        return seen == null ? Device.assumed() : seen;
    }

    /**
     * The outcome without a cache: the calls take what they took in the recording. Only what
     * recording took is left out, as for the other configurations.
     */
    private static Outcome alone(Rule rule, Recording recording, Device device, Progress progress)
            throws IOException {
        long nanos =
                recording.isCached() ? -1 : play(rule, recording, device, progress).timeNanos();
        return new Outcome(rule, nanos, -1, -1, null, 0, 0, null, -1);
    }

    private static Outcome play(Rule rule, Recording recording, Device device, Progress progress)
            throws IOException {
        return new Replay(rule, device, recording)
                .run(rule, seen -> progress.show(rule.text() + ": " + seen));
    }
}
