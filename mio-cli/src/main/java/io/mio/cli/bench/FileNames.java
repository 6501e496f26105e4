package io.mio.cli.bench;

import io.mio.cli.term.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells whether names lead to one file: through links, through other paths to the same directory,
 * or before the file exists.
 */
final class FileNames {
    private FileNames() {}

    /** Returns true also for equal names where no file exists yet. */
    static boolean isSame(Path one, Path other) {
        return OutputFile.isSame(one, other.toString()) || place(one).equals(place(other));
    }

    /** Returns the name in its directory, without links on the way there. */
    static Path place(Path name) {
        Path absolute = name.toAbsolutePath();
        Path last = absolute.getFileName();
        if (last == null || last.toString().equals("..") || last.toString().equals(".")) {
            return absolute.normalize();
        }
        try {
            return absolute.getParent().toRealPath().resolve(last);
        } catch (IOException e) {
            // The directory cannot be reached, so that no file can be made there either.
            return absolute.normalize();
        }
    }

    /**
     * Checks that each name is that of a different file.
     *
     * @throws IllegalArgumentException if two of them are one file
     */
    static void checkDifferent(List<Path> files) {
        Map<Object, Path> seen = new HashMap<>();
        for (Path file : files) {
            for (Object mark : marks(file)) {
                Path before = seen.putIfAbsent(mark, file);
                if (before != null) {
                    throw new IllegalArgumentException(
                            before
                                    + " and "
                                    + file
                                    + " are the same file; each worker needs one of its own, or"
                                    + " take --shared");
                }
            }
        }
    }

    private static List<Object> marks(Path file) {
        List<Object> marks = new ArrayList<>();
        marks.add(place(file));
        try {
            marks.add(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            // The file does not exist yet.
        }
        return marks;
    }
}
