package io.mio.cli.events;

import io.mio.cli.term.Choice;
import io.mio.config.NamePattern;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import java.lang.reflect.Field;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Options that choose events; the same for every command that reads events files. */
public final class FilterOptions {
    private static final Set<String> SYSTEM_NAMES = Set.of("os", "aix", "posix");

    /** Place of the layer right below the program. */
    private static final int PROGRAM_PLACE = 1;

    /** The layers whose events are chosen. */
    enum Layer {
        TRACE,
        PF,
        PROGRAM,
        SYSTEM,
        CACHE;

        /** Returns the name as typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--files",
            paramLabel = "GLOB",
            description =
                    "Only files that fit: '*.dat', '/scratch/**', as in rules. May be repeated.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--op",
            paramLabel = "NAME",
            split = ",",
            converter = OperationConverter.class,
            description =
                    "Only these operations: reads, writes, pages, or names as they are"
                            + " shown, for example read or prefetch-issued. Several: with commas.")
    private List<OperationSet> operations = new ArrayList<>();

    @Option(
            names = "--layer",
            paramLabel = "LAYER",
            converter = LayerConverter.class,
            description =
                    "Only calls that trace layers saw (trace), those of the program (program: the"
                            + " layer next to it), those to the system (system: the lowest one), or"
                            + " pages (pf, cache).")
    private Layer layer;

    @Option(
            names = "--thread",
            paramLabel = "N",
            split = ",",
            converter = Choice.Whole.class,
            description = "Only these threads. Several: with commas.")
    private List<Long> threads = new ArrayList<>();

    @Option(
            names = "--process",
            paramLabel = "N",
            split = ",",
            converter = Choice.Whole.class,
            description = "Only these processes. Several: with commas.")
    private List<Long> processes = new ArrayList<>();

    @Option(
            names = "--failed",
            converter = Choice.Flag.class,
            description = "Only events that failed.")
    private boolean failed;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = PointConverter.class,
            description =
                    "Only events that end later than TIME: 12.5s, 300ms, 5m, 1h after"
                            + " the file was made (a number alone is seconds), or a time of day:"
                            + " 14:03:22.5.")
    private TimePoint from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = PointConverter.class,
            description = "Only events that begin before TIME.")
    private TimePoint to;

    @Option(
            names = "--slower",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Only events that took TIME or longer: 10ms, 1.5s.")
    private Long slower;

    /** Returns the filter for the events of {@code reader}. Reads no events. */
    public EventFilter filter(EventReader reader) {
        long zero = reader.header().realtimeNanos();
        ZoneId zone = ZoneId.systemDefault();
        return new EventFilter(
                wanted(reader.files()),
                operations.stream().reduce(OperationSet::or).orElse(null),
                sorted(threads),
                sorted(processes),
                failed,
                from == null ? Long.MIN_VALUE : from.since(zero, zone),
                to == null ? Long.MAX_VALUE : to.since(zero, zone),
                slower == null ? 0 : slower);
    }

    /** Returns true if only the lowest trace layer of each open was asked for. */
    boolean choosesSystem() {
        return layer == Layer.SYSTEM;
    }

    /**
     * Returns the options that were given, as {@code --files '*.dat' --failed}; empty if none was.
     */
    public String inWords(ParseResult arguments) {
        return words(arguments, Set.of());
    }

    /**
     * Returns the options as {@link #inWords} does, but without {@code --from} and {@code --to},
     * for a command that has its own.
     */
    public String inWordsButTimes(ParseResult arguments) {
        return words(arguments, Set.of("--from", "--to"));
    }

    private static String words(ParseResult arguments, Set<String> without) {
        return arguments.matchedOptions().stream()
                .filter(
                        option ->
                                option.userObject() instanceof Field field
                                        && field.getDeclaringClass() == FilterOptions.class
                                        && !without.contains(option.longestName()))
                .map(FilterOptions::words)
                .collect(Collectors.joining(" "));
    }

    private static String words(OptionSpec option) {
        if (option.arity().max() == 0) {
            return option.longestName();
        }
        return option.originalStringValues().stream()
                .map(value -> option.longestName() + " " + quoted(value))
                .collect(Collectors.joining(" "));
    }

    private static String quoted(String value) {
        return value.matches("[A-Za-z0-9_./:,+-]+")
                ? value
                : "'" + value.replace("'", "'\\''") + "'";
    }

    private int[] wanted(Map<Integer, EventFile> all) {
        if (files.isEmpty() && layer == null) {
            return null;
        }
        List<NamePattern> patterns = files.stream().map(NamePattern::of).toList();
        Map<String, Integer> lowest = layer == Layer.SYSTEM ? lowest(all.values()) : Map.of();
        return all.values().stream()
                .filter(
                        file ->
                                patterns.isEmpty()
                                        || patterns.stream()
                                                .anyMatch(one -> one.matches(file.path())))
                .filter(file -> layer == null || isIn(file, lowest))
                .mapToInt(EventFile::id)
                .sorted()
                .toArray();
    }

    private boolean isIn(EventFile file, Map<String, Integer> lowest) {
        boolean trace = file.layer() == EventFormat.OF_TRACE;
        return switch (layer) {
            case TRACE -> trace;
            case PF, CACHE -> file.layer() == EventFormat.OF_PF;
            case PROGRAM -> trace && file.place() == PROGRAM_PLACE;
            case SYSTEM ->
                    trace
                            && (SYSTEM_NAMES.contains(file.below())
                                    || lowest.get(key(file)) == file.place());
        };
    }

    /** Returns for each file the place of the lowest layer that recorded anything. */
    private static Map<String, Integer> lowest(Collection<EventFile> all) {
        Map<String, Integer> lowest = new HashMap<>();
        for (EventFile file : all) {
            // Below a trace layer there may be a cache that records nothing.
            int place = file.place() + (file.below().equals("pf") ? 1 : 0);
            lowest.merge(key(file), place, Math::max);
        }
        return lowest;
    }

    private static String key(EventFile file) {
        return file.process() + " " + file.path();
    }

    private static long[] sorted(List<Long> numbers) {
        return numbers.isEmpty()
                ? null
                : numbers.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    static final class LayerConverter implements ITypeConverter<Layer> {
        @Override
        public Layer convert(String text) {
            return Choice.of(Layer.class, text, "layer");
        }
    }

    static final class OperationConverter implements ITypeConverter<OperationSet> {
        @Override
        public OperationSet convert(String text) {
            try {
                return OperationSet.of(text);
            } catch (IllegalArgumentException e) {
                throw Choice.refused(e.getMessage(), e);
            }
        }
    }

    static final class PointConverter implements ITypeConverter<TimePoint> {
        @Override
        public TimePoint convert(String text) {
            try {
                return TimePoint.of(text);
            } catch (IllegalArgumentException e) {
                throw Choice.refused(e.getMessage(), e);
            }
        }
    }

    static final class DurationConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return TimePoint.duration(text);
            } catch (IllegalArgumentException e) {
                throw Choice.refused(e.getMessage(), e);
            }
        }
    }

    /** Refuses times that no event can fit: {@code from} behind {@code to}. */
    public void check(CommandLine command) {
        if (from != null
                && to != null
                && from.clock() == null
                && to.clock() == null
                && from.nanos() >= to.nanos()) {
            throw new CommandLine.ParameterException(command, "--from: must be before --to");
        }
    }
}
