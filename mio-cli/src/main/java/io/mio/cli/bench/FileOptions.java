package io.mio.cli.bench;

import io.mio.cli.demo.PageCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of {@code mio bench} that say which files and directories it uses. */
public final class FileOptions {
    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description =
                    "A directory for the files, or the file itself, as with -f. Default: the"
                            + " system's temporary directory, or /var/tmp where that one is in"
                            + " memory")
    private String path;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description =
                    "The file. One that is there is never written to: only tests that read, and it"
                            + " stays.")
    private String file;

    @Option(
            names = {"-F", "--files"},
            arity = "1..*",
            paramLabel = "FILE",
            description = "The files, one for each worker of -t.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--keep", description = "Do not remove the files, and say where they are.")
    private boolean keep;

    /**
     * Checks that the options go together.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    void check(int threads, boolean shared) {
        Checks.check(
                (path == null ? 0 : 1) + (file == null ? 0 : 1) + (files.isEmpty() ? 0 : 1) < 2,
                "PATH, -f and -F exclude each other");
        Checks.check(
                files.isEmpty() || files.size() == threads, "-F: as many files as -t has workers");
        Checks.check(!shared || files.size() < 2, "--shared: one file, so no -F");
    }

    /** Returns the files that the user has named; empty if they are made in {@link #directory}. */
    public List<Path> names() {
        if (!files.isEmpty()) {
            return files.stream().map(name -> fileOf("-F", name)).toList();
        }
        if (file != null) {
            return List.of(fileOf("-f", file));
        }
        if (path != null && !Files.isDirectory(Checks.path("PATH", path))) {
            return List.of(fileOf("PATH", path));
        }
        return List.of();
    }

    private static Path fileOf(String option, String name) {
        Path named = Checks.path(option, name);
        Checks.check(!Files.isDirectory(named), option + ": " + name + " is a directory");
        Path parent = named.toAbsolutePath().getParent();
        Checks.check(
                parent != null && Files.isDirectory(parent),
                option + ": " + name + ": there is no such directory");
        return named;
    }

    /** Returns the directory where files are made that have no name. */
    public Path directory() {
        Path dir = path != null ? Checks.path("PATH", path) : PageCache.usualDirectory();
        Checks.check(Files.isWritable(dir), dir + " is not writable; name another directory");
        return plain(dir.toAbsolutePath());
    }

    /**
     * Returns the path without {@code .}. A path with {@code ..} stays as it is: behind a link,
     * only the system can tell where {@code ..} leads.
     */
    private static Path plain(Path absolute) {
        for (Path part : absolute) {
            if (part.toString().equals("..")) {
                return absolute;
            }
        }
        return absolute.normalize();
    }

    /** Returns whether files stay. */
    public boolean keep() {
        return keep;
    }
}
