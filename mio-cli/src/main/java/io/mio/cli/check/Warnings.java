package io.mio.cli.check;

import io.mio.cli.term.Amounts;
import io.mio.config.ConfigKey;
import io.mio.config.DebugKeyword;
import io.mio.config.FileRule;
import io.mio.config.LayerKind;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import io.mio.config.NamePattern;
import io.mio.config.OsOption;
import io.mio.config.PfOption;
import io.mio.config.RecovOption;
import io.mio.config.TraceOption;
import io.mio.pf.PlanFile;
import io.mio.stats.StatsOutput;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds what is legal in a configuration and probably not meant. */
public final class Warnings {
    /** Options that pf/auto looks at. */
    private static final Set<PfOption> OF_AUTO =
            EnumSet.of(
                    PfOption.AUTO,
                    PfOption.STREAMS,
                    PfOption.UNIT,
                    PfOption.STATS,
                    PfOption.INTER,
                    PfOption.TAG);

    /** Pages are multiples of this number of bytes. */
    private static final long PAGE_STEP = 4096;

    private final MioConfig config;
    private final List<Warning> found = new ArrayList<>();

    private Warnings(MioConfig config) {
        this.config = config;
    }

    /** Returns all warnings, in the order of the rules, then those of the whole configuration. */
    public static List<Warning> of(MioConfig config, MachineMemory memory) {
        Warnings warnings = new Warnings(config);
        for (int i = 0; i < config.rules().size(); i++) {
            warnings.names(i);
            warnings.layers(i);
        }
        warnings.found.addAll(CacheWarnings.of(config, memory));
        warnings.reports();
        return List.copyOf(warnings.found);
    }

    private void add(String id, int rule, String text) {
        found.add(new Warning(id, rule, text));
    }

    private void names(int index) {
        FileRule rule = config.rules().get(index);
        List<FileRule> before = config.rules().subList(0, index);
        List<NamePattern> covered = new ArrayList<>();
        for (NamePattern pattern : rule.patterns()) {
            if (PatternCover.covers(patterns(before), pattern)) {
                covered.add(pattern);
            }
            relative(index, pattern);
        }
        if (covered.size() == rule.patterns().size()) {
            add(
                    "rule_never_matches",
                    index + 1,
                    "can never match: "
                            + covering(before, covered)
                            + "; the first rule that matches wins, so move this one to the front");
            return;
        }
        for (NamePattern pattern : covered) {
            add(
                    "name_never_matches",
                    index + 1,
                    "the name "
                            + pattern.template()
                            + " can never match: "
                            + covering(before, List.of(pattern)));
        }
    }

    /** Returns which rule takes the names, if it is a single one. */
    private static String covering(List<FileRule> before, List<NamePattern> covered) {
        for (int i = 0; i < before.size(); i++) {
            List<NamePattern> wide = before.get(i).patterns();
            if (covered.stream().allMatch(narrow -> PatternCover.covers(wide, narrow))) {
                return "rule " + (i + 1) + " takes every name that fits";
            }
        }
        return "the rules before it take every name that fits";
    }

    private static List<NamePattern> patterns(List<FileRule> rules) {
        return rules.stream().flatMap(rule -> rule.patterns().stream()).toList();
    }

    private void relative(int index, NamePattern pattern) {
        String name = pattern.template();
        if (name.startsWith("~") || name.startsWith("$")) {
            add(
                    "name_not_expanded",
                    index + 1,
                    "the name "
                            + name
                            + " begins with '"
                            + name.charAt(0)
                            + "', which MIO takes as it is; write the directory itself");
        } else if (name.indexOf('/') > 0 && !name.startsWith("**")) {
            add(
                    "name_is_relative",
                    index + 1,
                    "the name "
                            + name
                            + " fits only what a program opens by a relative name; write /... or"
                            + " **/"
                            + (name.startsWith("./") ? name.substring(2) : name)
                            + " for others");
        }
        if (name.endsWith("/")) {
            add(
                    "name_of_directory",
                    index + 1,
                    "the name "
                            + name
                            + " ends with '/', which no name of a file does; write "
                            + name
                            + "** for all below");
        }
    }

    private void layers(int index) {
        List<LayerSpec> layers = config.rules().get(index).stack().layers();
        LayerSpec os = layers.get(layers.size() - 1);
        boolean reported = false;
        LayerSpec cache = null;
        for (LayerSpec layer : layers) {
            if (layer.isAuto()) {
                auto(index, layer);
            } else if (layer.isCache()) {
                cache = layer;
                distance(index, layer);
                plan(index, layer);
                sector(index, layer, os.number(OsOption.SECTOR_SIZE));
            }
            reported |= layer.kind() == LayerKind.TRACE && layer.isOn(TraceOption.STATS);
            reported |= layer.isCache() && layer.isOn(PfOption.STATS);
        }
        if (cache != null && !reported) {
            add(
                    "cache_without_report",
                    index + 1,
                    "pf without trace and with nostats: nothing will show what the cache does; use"
                            + " pf/stats, or trace | pf");
        }
    }

    /** Warns of options that pf/auto does not look at. */
    private void auto(int index, LayerSpec pf) {
        List<String> unused = new ArrayList<>();
        for (PfOption option : PfOption.values()) {
            if (pf.isTyped(option) && !OF_AUTO.contains(option)) {
                unused.add(option.id());
            }
        }
        if (!unused.isEmpty()) {
            add(
                    "auto_without_pages",
                    index + 1,
                    "pf/auto chooses by itself, and does not look at "
                            + String.join(", ", unused)
                            + "; leave out that, or auto");
        }
    }

    private void plan(int index, LayerSpec pf) {
        if (!pf.isOn(PfOption.PLAN) || pf.text(PfOption.PLAN).contains("%x")) {
            return;
        }
        String text = pf.text(PfOption.PLAN);
        PlanFile plans = PlanFile.of(FileSystems.getDefault(), text);
        if (plans.failure() != null) {
            add(
                    "plan_not_readable",
                    index + 1,
                    "no plan: "
                            + plans.failure()
                            + "; record a run with trace/events={"
                            + text
                            + "}");
        } else if (plans.names().stream().noneMatch(name -> isOf(index, name))) {
            add(
                    "plan_without_files",
                    index + 1,
                    "plan={"
                            + text
                            + "} has no read of a file that the rule is for; record the run that is"
                            + " to be repeated");
        }
    }

    /** Returns whether this rule is the one for a file. */
    private boolean isOf(int index, String name) {
        return config.rules().get(index).equals(config.rule(name));
    }

    private void distance(int index, LayerSpec pf) {
        long pages = pages(pf);
        long distance = pf.secondNumber(PfOption.PREFETCH);
        if (distance > 0 && pages <= distance) {
            add(
                    "cache_smaller_than_distance",
                    index + 1,
                    "the cache has "
                            + (pages == 1 ? "1 page" : pages + " pages")
                            + ", and prefetch="
                            + pf.text(PfOption.PREFETCH)
                            + " wants "
                            + distance
                            + " ahead of the one in use; give a cache_size of more than "
                            + Amounts.bytes(distance * pageBytes(pf))
                            + ", or a smaller prefetch");
        }
    }

    private void sector(int index, LayerSpec pf, long sectorBytes) {
        long typed = pf.number(PfOption.PAGE_SIZE);
        if (typed % PAGE_STEP != 0) {
            add(
                    "page_not_of_sectors",
                    index + 1,
                    "page_size="
                            + pf.text(PfOption.PAGE_SIZE)
                            + " is no multiple of 4096 bytes; pages will have "
                            + pageBytes(pf));
        }
        if (sectorBytes > 0 && pageBytes(pf) % sectorBytes != 0) {
            add(
                    "page_not_of_sectors",
                    index + 1,
                    "pages of "
                            + pageBytes(pf)
                            + " bytes are no multiple of sector_size="
                            + sectorBytes
                            + "; change one of them");
        }
    }

    /** Returns the bytes of a page after rounding. */
    static long pageBytes(LayerSpec pf) {
        long typed = pf.number(PfOption.PAGE_SIZE);
        return (typed + PAGE_STEP - 1) / PAGE_STEP * PAGE_STEP;
    }

    /** Returns the frames of the cache. */
    static long pages(LayerSpec pf) {
        return Math.max(1, pf.number(PfOption.CACHE_SIZE) / pageBytes(pf));
    }

    private void reports() {
        boolean unset = config.text(ConfigKey.STATS).isBlank();
        Set<String> places = new LinkedHashSet<>();
        Set<String> events = new LinkedHashSet<>();
        Set<Integer> mute = new LinkedHashSet<>();
        for (int i = 0; i < config.rules().size(); i++) {
            for (LayerSpec layer : config.rules().get(i).stack().layers()) {
                String place = place(layer);
                if (StatsOutput.MIOOUT.equals(place)) {
                    if (unset && layer.kind() != LayerKind.RECOV) {
                        mute.add(i + 1);
                    }
                } else if (place != null) {
                    places.add(place);
                }
                if (layer.kind() == LayerKind.TRACE && layer.isOn(TraceOption.EVENTS)) {
                    events.add(layer.text(TraceOption.EVENTS));
                }
            }
        }
        if (!mute.isEmpty()) {
            add(
                    "stats_not_set",
                    0,
                    "MIO_STATS is not set, so no report of rule "
                            + mute.stream().map(String::valueOf).collect(Collectors.joining(", "))
                            + " will be written; set it, for example MIO_STATS=program.stats");
        }
        if (unset && printsDebug()) {
            add(
                    "debug_without_stats",
                    0,
                    "what MIO_DEBUG asks for goes to the file of MIO_STATS, which is not set");
        }
        if (!unset && !config.rules().isEmpty()) {
            String text = config.text(ConfigKey.STATS);
            unwritable(Setting.shown(config.origin(ConfigKey.STATS)) + "=" + text, text);
        }
        for (String place : places) {
            unwritable("stats=" + place, place);
        }
        for (String file : events) {
            String problem = StatsPlace.eventsProblem(file);
            if (problem != null) {
                add(
                        "events_not_writable",
                        0,
                        "no events can be written to events={" + file + "}: " + problem);
            }
        }
    }

    private boolean printsDebug() {
        for (DebugKeyword keyword : config.debug().shown()) {
            if (keyword != DebugKeyword.ABORT) {
                return true;
            }
        }
        return false;
    }

    private void unwritable(String setting, String text) {
        String problem = StatsPlace.problem(text);
        if (problem != null) {
            add("stats_not_writable", 0, "no report can be written to " + setting + ": " + problem);
        }
    }

    /** Returns where the layer's reports go, or null. */
    private static String place(LayerSpec layer) {
        return switch (layer.kind()) {
            case TRACE -> layer.isOn(TraceOption.STATS) ? layer.text(TraceOption.STATS) : null;
            case PF -> layer.isOn(PfOption.STATS) ? layer.text(PfOption.STATS) : null;
            case RECOV -> layer.isOn(RecovOption.STATS) ? layer.text(RecovOption.STATS) : null;
            case MIO, OS -> null;
        };
    }
}
