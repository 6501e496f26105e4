package io.mio.cli.bench;

import io.mio.cli.demo.NativeFiles;
import io.mio.config.ConfigKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** How workers are started: which twin, with MIO below it or without. */
public final class WorkerCommand {
    private static final String PROGRAM = "bench_worker";
    private static final String LIBRARY = "libmio_preload.so";
    private static final String PRELOAD = "LD_PRELOAD";

    /** Variables of JVMs and the loader. */
    private static final Set<String> FOREIGN =
            Set.of(
                    PRELOAD,
                    "LD_AUDIT",
                    "JAVA_TOOL_OPTIONS",
                    "JDK_JAVA_OPTIONS",
                    "_JAVA_OPTIONS",
                    "JAVA_OPTIONS");

    /** Characters that a name in the loader's list may not have. */
    private static final Pattern NOT_FOR_LOADER = Pattern.compile("[\\s:;$'\"\\\\]");

    /** Heap of a worker in Java, without what verification needs. */
    private static final long HEAP_MIB = 64;

    private final BenchOptions options;
    private final List<Path> files;
    private final Path warmFile;
    private final Path dir;
    private final List<MadeFile> unpacked = new ArrayList<>();

    /**
     * Makes a command.
     *
     * @param files files of the worker
     * @param warmFile file on which it warms up; null for none
     * @param dir directory for what is unpacked; see {@link #canBeIn}
     */
    WorkerCommand(BenchOptions options, List<Path> files, Path warmFile, Path dir) {
        this.options = options;
        this.files = files;
        this.warmFile = warmFile;
        this.dir = dir;
    }

    /**
     * Returns true if no library has to be loaded from the directory, or the loader takes its name.
     */
    static boolean canBeIn(Path dir, BenchOptions options) {
        return !isPreloaded(options) || !NOT_FOR_LOADER.matcher(dir.toString()).find();
    }

    private static boolean isPreloaded(BenchOptions options) {
        return options.door() == BenchOptions.Door.NATIVE
                && options.configurations().stream().anyMatch(one -> !one.isPlain());
    }

    /**
     * Unpacks what is not in Java, if that is wanted.
     *
     * @throws IOException if it is not in the jar, or the loader cannot take its name
     */
    void unpack() throws IOException {
        if (options.door() != BenchOptions.Door.NATIVE) {
            return;
        }
        unpack(PROGRAM);
        if (isPreloaded(options)) {
            if (!canBeIn(dir, options)) {
                throw new IOException(
                        dir
                                + ": the loader cannot take that name; set TMPDIR to one without"
                                + " blanks, colons and quotes");
            }
            unpack(LIBRARY);
        }
    }

    private void unpack(String name) throws IOException {
        Path file = dir.resolve(name);
        NativeFiles.unpack(file, "--door native");
        unpacked.add(MadeFile.of(file));
    }

    /** Removes what was unpacked. */
    void remove() throws IOException {
        for (MadeFile file : unpacked) {
            file.remove();
        }
        unpacked.clear();
    }

    /**
     * Returns true for a variable that is meant for other programs and would change workers, which
     * do not get it.
     */
    private static boolean isForeign(String variable) {
        return variable.startsWith("MIO_") || FOREIGN.contains(variable);
    }

    /**
     * Returns the variables that workers do not get, as far as they are set here and have a
     * meaning, in the order of their names.
     */
    public static List<String> withheld() {
        Set<String> known = new TreeSet<>(FOREIGN);
        known.add("MIO_CONFIG");
        for (ConfigKey key : ConfigKey.values()) {
            known.add(key.variable());
        }
        known.removeIf(variable -> System.getenv().getOrDefault(variable, "").isEmpty());
        return List.copyOf(known);
    }

    /**
     * Returns a worker, ready to be started.
     *
     * @param report name of MIO's report; null for none
     * @param records records of each file
     */
    ProcessBuilder builder(Configuration configuration, Path report, long records) {
        List<String> command = new ArrayList<>();
        Map<String, String> settings = settings(configuration, report);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(WorkerCommand::isForeign);
        if (options.door() == BenchOptions.Door.NATIVE) {
            command.add(dir.resolve(PROGRAM).toString());
            settings.forEach(
                    (key, value) ->
                            builder.environment()
                                    .put("MIO_" + key.toUpperCase(Locale.ROOT), value));
            if (!settings.isEmpty()) {
                builder.environment().put(PRELOAD, dir.resolve(LIBRARY).toString());
            }
        } else {
            addJava(command, settings, records);
        }
        files.forEach(file -> command.add(file.toString()));
        if (warmFile != null) {
            command.add("--");
            command.add(warmFile.toString());
        }
        return builder;
    }

    private void addJava(List<String> command, Map<String, String> settings, long records) {
        long verifyMib = options.verify() ? files.size() * records / (1024 * 1024) : 0;
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + (HEAP_MIB + verifyMib) + "m");
        // The JVM has no limit of its own: the user decides on records and caches.
        command.add("-XX:MaxDirectMemorySize=1t");
        command.add("-XX:+UseSerialGC");
        command.add("--enable-native-access=ALL-UNNAMED");
        if (!settings.isEmpty()) {
            command.add(
                    "-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider");
        }
        settings.forEach((key, value) -> command.add("-Dmio." + key + "=" + value));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(BenchWorker.class.getName());
    }

    /** Returns all settings, so that what the user has set for other programs does not count. */
    private Map<String, String> settings(Configuration configuration, Path report) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (!configuration.isPlain()) {
            settings.put("enabled", "true");
            settings.put("defaults", "");
            settings.put("files", configuration.files(files));
            settings.put("stats", report == null ? "" : report.toString());
            settings.put("debug", "");
        }
        return settings;
    }
}
