package io.mio.live;

import io.mio.counters.ProcFacts;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Reads what processes count right now, or had counted when they were killed, from their live
 * counter files (docs/format/live.md). Needs no help of the processes and takes no lock.
 *
 * <p>Files that are cut, foreign, damaged or gone while they are read are skipped, or give what can
 * be read of them; no exception is thrown. What is kept of one reading is bounded.
 */
public final class LiveReader {
    private static final String ENDING = ".live";
    private static final String ENDING_OF_JVM = ".jvm.live";

    /** Most files looked at in one directory. */
    private static final int FILES_MAX = 65536;

    /** Most blocks in one reading; about 6 KB each. */
    private static final int BLOCKS_MAX = 16384;

    private LiveReader() {}

    /** Directories in which programs of this user have their files, if they are there. */
    public static List<Path> directories() {
        List<Path> directories = new ArrayList<>();
        long user = ProcFacts.user();
        for (String place : List.of("/dev/shm/mio-", "/tmp/mio-")) {
            Path directory = Path.of(place + user);
            if (user >= 0 && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                directories.add(directory);
            }
        }
        return directories;
    }

    /** Reads what is in {@link #directories}. */
    public static List<LiveProcess> read() {
        return read(directories());
    }

    /** Reads what is in one directory, by process number. */
    public static List<LiveProcess> read(Path directory) {
        return read(List.of(directory));
    }

    private static List<LiveProcess> read(List<Path> directories) {
        List<LiveProcess> processes = new ArrayList<>();
        int blocks = BLOCKS_MAX;
        for (Path path : files(directories)) {
            LiveProcess process = RecordReader.read(path, blocks);
            if (process != null) {
                blocks -= process.traces().size() + process.pages().size();
                processes.add(process);
            }
        }
        processes.sort(Comparator.comparingLong(LiveProcess::pid));
        return processes;
    }

    /**
     * Removes the files of processes that are gone.
     *
     * @return number of files removed
     */
    public static int clean(Path directory) {
        int removed = 0;
        for (Path path : files(List.of(directory))) {
            LiveProcess process = RecordReader.read(path, 0);
            if (process != null && process.state() == LiveProcess.State.GONE) {
                removed += remove(path);
            }
        }
        return removed;
    }

    private static int remove(Path path) {
        try {
            return Files.deleteIfExists(path) ? 1 : 0;
        } catch (IOException | SecurityException notOurs) {
            return 0;
        }
    }

    private static List<Path> files(List<Path> directories) {
        List<Path> files = new ArrayList<>();
        for (Path directory : directories) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                for (Path entry : entries) {
                    if (files.size() < FILES_MAX && isOurs(entry)) {
                        files.add(entry);
                    }
                }
            } catch (IOException | DirectoryIteratorException | SecurityException e) {
                // What was found until then counts; a directory that is not there holds nothing.
            }
        }
        return files;
    }

    /** Whether it is a regular file of this user, named after a process; root sees all users'. */
    private static boolean isOurs(Path path) {
        if (pid(path) < 0) {
            return false;
        }
        try {
            Map<String, Object> attributes =
                    Files.readAttributes(path, "unix:uid,isRegularFile", LinkOption.NOFOLLOW_LINKS);
            long owner = ((Number) attributes.get("uid")).longValue();
            long user = ProcFacts.user();
            return Boolean.TRUE.equals(attributes.get("isRegularFile"))
                    && (owner == user || user == 0);
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** The process number in the name of a file, or -1. */
    static long pid(Path path) {
        Path last = path.getFileName();
        String name = last == null ? "" : last.toString();
        String ending = name.endsWith(ENDING_OF_JVM) ? ENDING_OF_JVM : ENDING;
        String number =
                name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : "";
        boolean digits = !number.isEmpty() && number.length() <= 10;
        for (int i = 0; i < number.length(); i++) {
            digits &= number.charAt(i) >= '0' && number.charAt(i) <= '9';
        }
        return digits ? Long.parseLong(number) : -1;
    }
}
