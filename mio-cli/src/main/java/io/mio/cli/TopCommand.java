package io.mio.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Json;
import io.mio.cli.term.Terminal;
import io.mio.cli.top.Ledger;
import io.mio.cli.top.LiveTerminal;
import io.mio.cli.top.SortKey;
import io.mio.cli.top.Tick;
import io.mio.cli.top.TopJson;
import io.mio.cli.top.TopScreen;
import io.mio.cli.top.View;
import io.mio.config.ConfigKey;
import io.mio.config.MioConfig;
import io.mio.live.LiveProcess;
import io.mio.live.LiveReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mio top}: shows what programs under MIO do right now. */
@Command(
        name = "top",
        description = {
            "Shows what programs under MIO do right now, process by process or file by file.",
            "",
            "Reads the live counter files of running programs, without their help and"
                    + " without slowing them down. A killed program is shown with its last state"
                    + " until its file is removed. Figures are those of open files. Without a"
                    + " terminal, one table of totals is printed."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio top                          keys: q quit, p processes, f files, d decisions,",
            "                                   s sort, t totals or rates, space pause, arrows",
            "  mio top --files --sort dirty",
            "  mio top --decisions              what pf/auto has decided, and why",
            "  mio top --once                   one table of totals",
            "  mio top --once --interval 5      one table of rates over 5 seconds",
            "  mio top --json --interval 1 | jq .total.growth.read_bytes",
            "  mio top --clean                  forget programs that were killed",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done",
            "1:no process with the number of --pid is under MIO",
            "2:wrong arguments"
        })
final class TopCommand implements Callable<Integer> {
    private static final double INTERVAL_SECONDS = 1;

    /** The {@code TERM} of a terminal that knows no control sequences. */
    private static final String DUMB = "dumb";

    /** Seconds to the first rates, which need not wait for a long interval. */
    private static final double FIRST_SECONDS = 0.5;

    /** Values of the setting that name no directory: they mean the usual places, or none. */
    private static final Set<String> NO_DIRECTORY =
            Set.of("", "on", "true", "1", "yes", "off", "false", "0", "no");

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @ArgGroup Kind kind = new Kind();

    /** What has a row; processes if nothing is named. */
    static final class Kind {
        @Option(names = "--files", description = "A row for each file instead of each process.")
        boolean files;

        @Option(
                names = "--decisions",
                description = "The last decisions of pf/auto for each file, with their reasons.")
        boolean decisions;

        View.Rows rows() {
            return decisions ? View.Rows.DECISIONS : files ? View.Rows.FILES : View.Rows.PROCESSES;
        }
    }

    @Option(
            names = "--sort",
            paramLabel = "KEY",
            defaultValue = "bytes",
            converter = SortConverter.class,
            description =
                    "Largest first: bytes, read, write, calls, time, hits, waits or dirty; or name"
                            + " or pid. Default: ${DEFAULT-VALUE}")
    SortKey sort;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "Time between two readings, 0.1 or more. Default: 1")
    Double interval;

    @Option(
            names = "--count",
            paramLabel = "N",
            description =
                    "Stop after N screens, tables of rates (without a terminal), or" + " objects.")
    Integer count;

    @Option(
            names = "--once",
            description = "One table of totals; with --interval, of rates over that time.")
    boolean once;

    @Option(
            names = "--json",
            description =
                    "One object; with --interval or --count, one object for each"
                            + " reading, a line each.")
    boolean json;

    @Option(
            names = "--pid",
            paramLabel = "PID",
            split = ",",
            description = "Only these processes. May be repeated.")
    List<Long> pids = List.of();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the live counter files are. Default: where programs put them")
    Path dir;

    @Option(names = "--clean", description = "Remove the files of programs that were killed.")
    boolean clean;

    private final Ledger ledger = new Ledger();
    private List<Path> places;

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkArguments();
        places = findPlaces();
        if (clean) {
            return clean();
        }
        Tick first = readFirst();
        Terminal terminal = Terminal.ofProcess();
        boolean dumb = DUMB.equals(System.getenv().getOrDefault("TERM", DUMB));
        if (!json && !once && terminal.outIsTerminal() && !dumb) {
            LiveTerminal live = LiveTerminal.open(nativeCharset());
            if (live != null) {
                try (live) {
                    watch(live, terminal, first);
                }
                return CommandLine.ExitCode.OK;
            }
        }
        return print(terminal, first);
    }

    private void checkArguments() {
        if (interval != null && !(interval >= 0.1 && interval <= 86_400)) {
            throw wrong("--interval: from 0.1 to 86400 seconds");
        }
        if (count != null && count < 1) {
            throw wrong("--count: at least 1");
        }
        if (dir != null && !Files.isDirectory(dir)) {
            throw wrong("--dir: no directory " + dir);
        }
        if (dir != null && !(Files.isReadable(dir) && Files.isExecutable(dir))) {
            throw new CliException("--dir: " + dir + ": permission denied");
        }
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    private int clean() {
        int removed = 0;
        for (Path each : places) {
            removed += LiveReader.clean(each);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                removed == 1
                        ? "1 program that was killed is forgotten."
                        : removed + " programs that were killed are forgotten.");
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    /** Prints tables or objects one after another, for use without a screen. */
    private int print(Terminal terminal, Tick first)
            throws JsonProcessingException, InterruptedException {
        boolean totals = interval == null && count == null;
        int left = count != null ? count : json && interval != null && !once ? -1 : 1;
        View view = new View(kind.rows(), !totals, sort, false, 0);
        Tick tick = first;
        PrintWriter out = spec.commandLine().getOut();
        for (boolean more = false; left != 0; more = true, left--) {
            if (!totals) {
                TimeUnit.NANOSECONDS.sleep((long) (seconds() * 1e9));
                tick = read();
            }
            if (json) {
                out.println(Json.line().writeValueAsString(TopJson.of(tick, view)));
            } else {
                out.print(more ? System.lineSeparator() : "");
                screen(terminal).table(tick, view).forEach(out::println);
            }
            // The reader may have gone. A writer with an encoding of its own does not learn that,
            // so both are asked.
            if (out.checkError() || System.out.checkError()) {
                break;
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private TopScreen screen(Terminal terminal) {
        return new TopScreen(terminal, ZoneId.systemDefault(), !pids.isEmpty());
    }

    /** Shows the screen until the user leaves it or the counted updates are done. */
    private void watch(LiveTerminal live, Terminal terminal, Tick first)
            throws IOException, InterruptedException {
        View view = new View(kind.rows(), true, sort, false, 0);
        Tick tick = first;
        int left = count == null ? -1 : count;
        long next = System.nanoTime() + (long) (Math.min(FIRST_SECONDS, seconds()) * 1e9);
        int room = show(live, terminal, tick, view);
        while (left != 0) {
            LiveTerminal.Key key = live.key();
            if (key == LiveTerminal.Key.QUIT) {
                return;
            }
            boolean due = System.nanoTime() - next >= 0;
            if (key != null) {
                TopScreen screen = screen(terminal.withColumns(live.size()[1]));
                view = view.after(key, screen.rowCount(tick, view), room);
            }
            if (due && !view.paused()) {
                tick = read();
                left--;
            }
            if (due) {
                next = System.nanoTime() + (long) (seconds() * 1e9);
            }
            if (due || key != null) {
                room = show(live, terminal, tick, view);
            }
        }
    }

    /** Draws the screen. Returns the number of rows it has room for. */
    private int show(LiveTerminal live, Terminal terminal, Tick tick, View view)
            throws IOException, InterruptedException {
        int[] size = live.size();
        TopScreen screen = screen(terminal.withColumns(size[1]));
        live.draw(screen.screen(tick, view, size[0], seconds()));
        return TopScreen.room(size[0]);
    }

    /**
     * Reads the first figures.
     *
     * @throws CliException if none of the processes that were named is under MIO
     */
    private Tick readFirst() {
        Tick tick = read();
        if (!pids.isEmpty() && tick.processes().isEmpty()) {
            throw new CliException("no process with this number is under MIO");
        }
        return tick;
    }

    private Tick read() {
        List<LiveProcess> processes = new ArrayList<>();
        for (Path place : places) {
            processes.addAll(LiveReader.read(place));
        }
        if (!pids.isEmpty()) {
            processes.removeIf(process -> !pids.contains(process.pid()));
        }
        return ledger.add(processes, Instant.now(), System.nanoTime());
    }

    /** Returns the places that {@code --dir} names, or else the setting of this user's programs. */
    private List<Path> findPlaces() {
        if (dir != null) {
            return List.of(dir);
        }
        try {
            String live = MioConfig.load(Map.of()).text(ConfigKey.LIVE).trim();
            return NO_DIRECTORY.contains(live) ? LiveReader.directories() : List.of(Path.of(live));
        } catch (IllegalArgumentException e) {
            // A wrong configuration is not this command's matter: programs that have one have no
            // files here.
            return LiveReader.directories();
        }
    }

    private double seconds() {
        return interval == null ? INTERVAL_SECONDS : interval;
    }

    private static Charset nativeCharset() {
        String name = System.getProperty("native.encoding");
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }

    static final class SortConverter implements CommandLine.ITypeConverter<SortKey> {
        @Override
        public SortKey convert(String text) {
            for (SortKey key : SortKey.values()) {
                if (key.label().equals(text)) {
                    return key;
                }
            }
            throw new CommandLine.TypeConversionException(
                    "'"
                            + text
                            + "' is none of "
                            + Arrays.stream(SortKey.values())
                                    .map(SortKey::label)
                                    .collect(Collectors.joining(", ")));
        }
    }
}
