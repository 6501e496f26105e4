package io.mio.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code mio run} for help, manual page and completion. The command itself is the shell part of the
 * distribution ({@code lib/run.sh}), which becomes the program; a JVM cannot do that.
 */
@Command(
        name = "run",
        customSynopsis = "mio run [OPTIONS] [--] PROGRAM [ARGUMENT...]",
        description = {
            "Runs a program with MIO below it.",
            "",
            "mio run becomes the program: same process number, streams, signals and exit"
                    + " status. The program is not changed. java gets MIO as its file system"
                    + " provider, other programs get the preload library. A program that neither"
                    + " can serve runs without MIO, and one line on standard error says why."
                    + " Without --trace, --pf and --files, and without rules in the environment or"
                    + " in a settings file (mio check shows them), --trace is the default. MIO_..."
                    + " variables that are set stay set; options take precedence."
        },
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio run ./solver input.dat                 trace everything; the report is a file"
                    + " here",
            "  mio run --pf=cache=100m/page=2m/pref=4/direct --match '*.dat' -- ./solver input.dat",
            "  mio run --trace --stats report.jsonl java -jar app.jar",
            "  mio run --files '*.dat [ trace | pf ] *.tmp [ os ]' -- make -j4",
            "  mio run --pf --print-env >>job.sh          for a batch script",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            " :that of the program, or",
            "125:mio run itself failed: a wrong option, or no preload library",
            "126:the program was found and cannot be executed",
            "127:the program was not found"
        })
final class RunCommand implements Callable<Integer> {
    /** Exit status of a failure, as of env, nohup and timeout, which run programs, too. */
    private static final int FAILED = 125;

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--trace",
            arity = "0..1",
            paramLabel = "OPTIONS",
            description =
                    "Count and time all calls. OPTIONS as in MIO_FILES, with slashes between them."
                            + " Default: stats/kbytes")
    String trace;

    @Option(
            names = "--pf",
            arity = "0..1",
            paramLabel = "OPTIONS",
            description =
                    "Read ahead and write behind in a cache, for example"
                            + " --pf=cache=100m/page=2m/pref=4/direct. With --trace, the trace is"
                            + " on both sides of the cache. Default: cache=64m/page=1m/direct")
    String pf;

    @Option(
            names = "--match",
            paramLabel = "NAMES",
            description =
                    "Names of the files that get these layers, for example *.dat:*.tmp."
                            + " Default: *")
    String match;

    @Option(
            names = "--files",
            paramLabel = "RULES",
            description = "All of MIO_FILES, in place of --trace, --pf, --match and --events.")
    String files;

    @Option(
            names = "--stats",
            paramLabel = "FILE",
            description =
                    "Where the reports go, as in MIO_STATS; FILE.jsonl is JSON. Default: a file in"
                            + " this directory with the program's name and process number, or in"
                            + " TMPDIR where this directory is not writable")
    String stats;

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description =
                    "Record every call in FILE, for mio plot and mio events. Implies"
                            + " --trace. Events of an earlier run in FILE are removed.")
    String events;

    @Option(
            names = "--door",
            paramLabel = "DOOR",
            completionCandidates = Doors.class,
            description =
                    "How MIO gets between the program and the kernel:"
                            + " ${COMPLETION-CANDIDATES}. auto is jvm for java and for scripts that"
                            + " start it, native for all others. Default: auto")
    String door;

    @Option(
            names = "--print-env",
            description =
                    "Run nothing, and print what to export so that programs run by hand get the"
                            + " same. PROGRAM may be left out.")
    boolean printEnv;

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not say at the end where the report is.")
    boolean quiet;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

    @Parameters(paramLabel = "PROGRAM", hidden = true)
    List<String> program;

    @Override
    public Integer call() {
        spec.commandLine()
                .getErr()
                .println("mio run: not in the jar alone; call bin/mio, which is beside lib/");
        return FAILED;
    }

    /** The words for {@code --door}. */
    static final class Doors implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("auto", "jvm", "native", "both", "none").iterator();
        }
    }
}
