package io.mio.cli.advise;

import io.mio.cli.simulate.Device;
import io.mio.cli.simulate.Outcome;
import io.mio.cli.simulate.Rule;
import io.mio.cli.simulate.Trial;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import io.mio.config.FileRule;
import io.mio.config.MioConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the rules. Finds out what each group of files does, and tries a few rules for each group in
 * the simulator, while all other calls stay as recorded. Keeps the best rule of each group, and in
 * the end tries all of them together.
 */
final class Advisor {
    /**
     * What the user asks for.
     *
     * @param events names of the events files
     * @param files templates of the files that are looked at; none: all
     * @param memoryBytes most memory of all caches together
     * @param device the device, or null
     * @param measured file to measure the device with, or null
     */
    record Wish(
            List<String> events,
            List<String> files,
            long memoryBytes,
            Device device,
            String measured) {}

    /** Most groups for which rules are tried: those whose calls take most time. */
    private static final int GROUPS_MAX = 12;

    private static final long MEASURED_MIN = 16 << 20;
    private static final String OTHERWISE = "; --measure names another, --device gives figures";

    private final Wish wish;
    private final Progress progress;
    private final List<Trial> trials = new ArrayList<>();
    private final Profiles profiles = new Profiles();
    private Device device;

    /** Why the device was not measured with a file of the run; null if it was, or was given. */
    private String unmeasured;

    private long runNanos;
    private long memoryBytes;

    private Advisor(Wish wish, Progress progress) {
        this.wish = wish;
        this.progress = progress;
    }

    /**
     * Reads the recordings and finds the advice.
     *
     * @throws CliException if a recording cannot be read, or has nothing in it
     */
    static Advised of(Wish wish, Progress progress) {
        return new Advisor(wish, progress).advised();
    }

    private Advised advised() {
        for (String name : wish.events()) {
            profiles.nextRecording();
            trials.add(new Trial(name, wish.files(), profiles, progress));
        }
        List<FileProfile> all = profiles.all();
        device = device(all);
        runNanos = play("", Map.of());
        Set<String> paths = new HashSet<>();
        trials.forEach(trial -> paths.addAll(trial.paths()));
        List<Group> groups = profiles.groups(paths);
        groups.sort(Comparator.comparingLong(group -> -group.sum().ioNanos()));
        List<List<Tried>> tried = new ArrayList<>();
        Set<Group> untried = new HashSet<>();
        int worth = 0;
        for (Group group : groups) {
            boolean isWorth =
                    group.isNamed() && group.sum().readNanos >= Choice.GAIN_MIN * runNanos;
            boolean tries = isWorth && worth++ < GROUPS_MAX;
            tried.add(tries ? tried(group) : List.of());
            if (isWorth && !tries) {
                untried.add(group);
            }
        }
        List<Tried> chosen = Choice.within(runNanos, tried, wish.memoryBytes());
        List<Advice> advices = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.get(i);
            String why = untried.contains(group) ? Words.untried(GROUPS_MAX) : null;
            advices.add(advice(group, tried.get(i), chosen.get(i), why));
        }
        advices.sort(Comparator.comparingLong(one -> -one.gainNanos(runNanos)));
        Map<String, Rule> rules = rules(advices);
        long together = together(rules);
        while (!rules.isEmpty() && together >= best(advices, rules.size())) {
            // Take back the rule that gains least.
            advices.set(rules.size() - 1, advices.get(rules.size() - 1).withdrawn());
            rules = rules(advices);
            together = together(rules);
        }
        return new Advised(
                wish.events(),
                trials.get(0).header().program(),
                trials.stream().mapToLong(Trial::recordedNanos).sum(),
                runNanos,
                together,
                rules.isEmpty() ? 0 : memoryBytes,
                device,
                advices,
                line(rules),
                notes(),
                trials.stream().anyMatch(Trial::isDamaged));
    }

    private static String line(Map<String, Rule> rules) {
        return String.join(" ", rules.keySet());
    }

    private long together(Map<String, Rule> rules) {
        return rules.isEmpty() ? runNanos : play(line(rules), rules);
    }

    /**
     * The time that this many rules together have to beat: the run with the best of them alone, or,
     * with one rule, the run without.
     */
    private long best(List<Advice> advices, int rules) {
        return rules > 1 ? advices.get(0).chosen().runNanos() : runNanos;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (unmeasured != null) {
            notes.add("the device is not measured: " + unmeasured);
        }
        for (Trial trial : trials) {
            if (trial.isCached()) {
                notes.add(
                        trial.name()
                                + ": recorded with a cache, so that gains are against that run;"
                                + " record without one for gains against the program alone");
            }
            notes.addAll(trial.notes());
        }
        return notes;
    }

    private Device device(List<FileProfile> all) {
        if (wish.device() != null) {
            return wish.device();
        }
        if (wish.measured() != null) {
            return calibrated(Trial.measure(wish.measured()));
        }
        FileProfile largest = null;
        unmeasured =
                "no file of the run is large enough ("
                        + Amounts.bytes(MEASURED_MIN)
                        + ", and as much read of it)"
                        + OTHERWISE;
        for (FileProfile file : all) {
            if (Math.min(file.sizeBytes, file.readBytes) < MEASURED_MIN) {
                continue;
            }
            unmeasured = "no file of the run that is large enough is there as it was" + OTHERWISE;
            boolean larger = largest == null || file.sizeBytes > largest.sizeBytes;
            if (larger && isThere(file)) {
                largest = file;
            }
        }
        if (largest != null) {
            try {
                progress.show("measuring the device with " + largest.path);
                Device measured = calibrated(Trial.measure(largest.path));
                unmeasured = null;
                return measured;
            } catch (CliException e) {
                // Go on with what the recording tells about the device.
                unmeasured = e.getMessage();
            }
        }
        for (Trial trial : trials) {
            if (trial.seen() != null) {
                return trial.seen();
            }
        }
        return Device.assumed();
    }

    /** The measured device, with a latency no shorter than the reads of the run show. */
    private Device calibrated(Device measured) {
        long answer = measured.answerNanos();
        for (FileProfile file : profiles.all()) {
            answer = Math.max(answer, file.answerNanos());
        }
        return measured.answeringAfter(answer);
    }

    /** True if the file of the recording is still there, as far as its size and type tell. */
    private static boolean isThere(FileProfile file) {
        try {
            Path path = Path.of(file.path);
            return Files.isReadable(path)
                    && Files.isRegularFile(path)
                    && Files.size(path) == file.sizeBytes;
        } catch (InvalidPathException | IOException e) {
            return false;
        }
    }

    private List<Tried> tried(Group group) {
        List<Tried> all = new ArrayList<>();
        for (String rule : Candidates.of(group.sum(), wish.memoryBytes())) {
            String line = typed(group, rule);
            long nanos = play(line, Map.of(line, rule(rule)));
            all.add(new Tried(rule, nanos, memoryBytes));
        }
        return all;
    }

    /**
     * @param untried why no rule is tried that may help, in words; null if there is no such reason
     */
    private Advice advice(Group group, List<Tried> all, Tried chosen, String untried) {
        FileProfile sum = group.sum();
        return new Advice(
                group,
                chosen,
                all,
                Words.does(sum, runNanos),
                chosen == null
                        ? Words.alone(group, runNanos, all, Candidates.SMALL_BYTES, untried)
                        : Words.why(sum, chosen));
    }

    private static String typed(Group group, String rule) {
        return group.typed() + " [ " + layers(rule) + " ]";
    }

    /**
     * The layers of the rule as typed, with a trace, so that {@code mio stats} shows what the rule
     * does.
     */
    static String layers(String rule) {
        return rule.equals(Candidates.HINTS) ? "auto" : "trace | " + rule;
    }

    /**
     * The rules by their text in {@code MIO_FILES}, in order. Each has a cache of its own, as when
     * it was tried: in one cache they would have too few pages, and the sizes of the first rule.
     */
    private static Map<String, Rule> rules(List<Advice> advices) {
        int caches = 0;
        Map<String, Rule> rules = new LinkedHashMap<>();
        for (Advice each : advices) {
            if (each.chosen() == null) {
                continue;
            }
            String options = each.chosen().rule();
            if (!each.chosen().isHints()) {
                options += caches == 0 ? "" : "/global=" + caches;
                caches++;
            }
            rules.put(typed(each.group(), options), rule(options));
        }
        return rules;
    }

    private static Rule rule(String options) {
        return options.equals(Candidates.HINTS) ? Rule.hints() : Rule.parse(options);
    }

    /**
     * Time of all runs with these rules, in nanoseconds; sets {@link #memoryBytes} to the memory of
     * the run that takes most.
     */
    private long play(String line, Map<String, Rule> rules) {
        MioConfig config = MioConfig.of(Map.of("files", line));
        List<Rule> inOrder = List.copyOf(rules.values());
        Map<FileRule, Rule> byRule = new HashMap<>();
        for (int i = 0; i < inOrder.size(); i++) {
            byRule.put(config.rules().get(i), inOrder.get(i));
        }
        Function<String, Rule> ruleOf =
                path -> {
                    FileRule rule = config.rule(path);
                    return rule == null ? Rule.nothing() : byRule.get(rule);
                };
        long nanos = 0;
        memoryBytes = 0;
        for (Trial trial : trials) {
            Outcome outcome = trial.play(ruleOf, device, line.isEmpty() ? "as recorded" : line);
            nanos += outcome.timeNanos();
            memoryBytes = Math.max(memoryBytes, outcome.memoryBytes());
            nanos += device.freshNanos(outcome.takenBytes());
        }
        return nanos;
    }
}
