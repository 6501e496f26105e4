package io.mio.cli.bench;

import io.mio.cli.term.OutputFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Keeps MIO's reports, as {@code --reports} asks for. MIO writes them into a directory of the
 * benchmark's own, where nobody else has put anything. From there they are copied to the user's
 * directory, and never over an existing file.
 */
final class KeptReports {
    private static final FileAttribute<Set<PosixFilePermission>> FOR_THE_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final BenchOptions options;
    private final Path dir;
    private final Path own;
    private final List<String> names;
    private final List<String> failures = new ArrayList<>();

    /**
     * Makes an empty set.
     *
     * @param dir the user's directory
     * @param own where MIO writes; not there yet
     */
    KeptReports(BenchOptions options, Path dir, Path own) {
        this.options = options;
        this.dir = dir.toAbsolutePath();
        this.own = own;
        this.names = names(options.configurations());
    }

    /** Returns the configurations' names as parts of names of files, all of them different. */
    static List<String> names(List<Configuration> configurations) {
        List<String> names = new ArrayList<>();
        for (Configuration configuration : configurations) {
            String plain = configuration.name().replaceAll("[^A-Za-z0-9._-]", "_");
            String name = plain;
            for (int i = 2; names.contains(name); i++) {
                name = plain + "_" + i;
            }
            names.add(name);
        }
        return names;
    }

    /**
     * Checks that all names are free.
     *
     * @throws IllegalArgumentException if something has one of them, even a link that leads nowhere
     */
    void check(List<Point> points) {
        for (Point point : points) {
            for (int run = 0; run < options.runs(); run++) {
                for (Configuration configuration : options.configurations()) {
                    for (String name : names(point, run, configuration)) {
                        Path place = dir.resolve(name);
                        Checks.check(
                                !Files.exists(place, LinkOption.NOFOLLOW_LINKS),
                                "--reports: "
                                        + place
                                        + " is there already; name another directory, or move it"
                                        + " away");
                    }
                }
            }
        }
    }

    /** Returns the names of the reports of all processes; none without MIO. */
    private List<String> names(Point point, int run, Configuration configuration) {
        List<String> all = new ArrayList<>();
        if (!configuration.isPlain()) {
            String name = name(point, run, configuration);
            if (options.processes() && options.threads() > 1) {
                for (int i = 0; i < options.threads(); i++) {
                    all.add(name + "." + i);
                }
            } else {
                all.add(name);
            }
        }
        return all;
    }

    private String name(Point point, int run, Configuration configuration) {
        return names.get(options.configurations().indexOf(configuration))
                + "-"
                + Sizes.text(point.sizeBytes())
                + "-"
                + Sizes.text(point.recordBytes())
                + "-"
                + (run + 1)
                + ".stats";
    }

    void make() throws IOException {
        Files.createDirectory(own);
    }

    /** Returns where MIO writes the report, without the number of the process; null without MIO. */
    Path place(Point point, int run, Configuration configuration) {
        return configuration.isPlain() ? null : own.resolve(name(point, run, configuration));
    }

    /** Copies the reports of a run that has ended to the user; failures are told at the end. */
    void keep(Point point, int run, Configuration configuration) {
        for (String name : names(point, run, configuration)) {
            Path place = dir.resolve(name);
            try {
                // A configuration without statistics leaves no report.
                if (Files.exists(own.resolve(name))) {
                    copy(own.resolve(name), place);
                }
            } catch (FileAlreadyExistsException e) {
                failures.add(place + ": somebody else has made it meanwhile; it stays as it is");
            } catch (IOException e) {
                failures.add(place + ": cannot be written: " + OutputFile.reason(e));
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Set<StandardOpenOption> anew =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(to, anew, FOR_THE_OWNER)) {
            boolean all = false;
            try {
                long size = in.size();
                for (long at = 0; at < size; ) {
                    at += in.transferTo(at, size - at, out);
                }
                all = true;
            } finally {
                if (!all) {
                    Files.deleteIfExists(to);
                }
            }
        }
    }

    /** Returns a line for each report that could not be kept. */
    List<String> failures() {
        return failures;
    }

    /** Removes what is left in the benchmark's own directory. */
    void remove() throws IOException {
        if (Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> left = Files.newDirectoryStream(own)) {
                for (Path file : left) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(own);
        }
    }
}
