package io.mio.fs.contract;

import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/**
 * What a sequence of operations did in one directory, as text. The text has nothing in which two
 * directories of two file systems may differ: the directory's name, the scheme, times, inodes.
 */
public final class Script {
    private final Path directory;
    private final String uriPrefix;
    private final List<String> log = new ArrayList<>();

    /**
     * Begins an empty log.
     *
     * @param directory where the operations work
     * @param uriPrefix how this file system's URIs begin, up to the path: {@code mio://name}
     */
    public Script(Path directory, String uriPrefix) {
        this.directory = directory;
        this.uriPrefix = uriPrefix;
    }

    /** Runs one operation, and notes its result or exception; never throws that exception. */
    public void step(String label, Callable<?> operation) {
        String outcome;
        try {
            outcome = describe(operation.call());
        } catch (Throwable e) {
            outcome = describe(e);
        }
        log.add(label + " -> " + outcome);
    }

    /** Does the same for an operation without a result. */
    public void run(String label, Action operation) {
        step(
                label,
                () -> {
                    operation.run();
                    return "done";
                });
    }

    /** The log, one line for each step. */
    public List<String> log() {
        return log;
    }

    private String describe(Throwable e) {
        String text = "throws " + e.getClass().getName();
        // The texts of these exceptions name classes and variables of the code that throws them.
        if (e instanceof NullPointerException || e instanceof ClassCastException) {
            return text;
        }
        if (e instanceof FileSystemException failure) {
            text += " file=" + failure.getFile() + " other=" + failure.getOtherFile();
        }
        return neutral(text + " " + e.getMessage());
    }

    private String describe(Object value) {
        if (value instanceof Path path) {
            if (path.getFileSystem() != directory.getFileSystem()) {
                return "A PATH OF ANOTHER FILE SYSTEM: " + path.getClass() + " " + path;
            }
            return "path " + neutral(path.toString());
        }
        if (value instanceof URI uri) {
            String text = uri.toString();
            return neutral(
                    text.startsWith(uriPrefix + "/")
                            ? "uri " + text.substring(uriPrefix.length())
                            : "A URI OF ANOTHER SCHEME: " + text);
        }
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
        }
        if (value instanceof BasicFileAttributes attributes) {
            return describe(attributes);
        }
        if (value instanceof TreeMap || value instanceof TreeSet) {
            return describe(new ArrayList<>(entries(value)));
        }
        if (value instanceof Iterable<?> values) {
            StringBuilder text = new StringBuilder("[");
            for (Object each : values) {
                text.append(describe(each)).append(", ");
            }
            return text.append(']').toString();
        }
        if (value instanceof Enum<?> || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        return neutral(String.valueOf(value));
    }

    private static Iterable<?> iterable(Object value) {
        return value instanceof Map<?, ?> map ? map.entrySet() : (Iterable<?>) value;
    }

    private static List<Object> entries(Object value) {
        List<Object> entries = new ArrayList<>();
        for (Object each : iterable(value)) {
            entries.add(String.valueOf(each));
        }
        return entries;
    }

    private static String describe(BasicFileAttributes attributes) {
        String text =
                "directory="
                        + attributes.isDirectory()
                        + " regular="
                        + attributes.isRegularFile()
                        + " link="
                        + attributes.isSymbolicLink()
                        + " other="
                        + attributes.isOther()
                        + " size="
                        + (attributes.isDirectory() ? "-" : attributes.size());
        if (attributes instanceof PosixFileAttributes posix) {
            text += " " + new TreeSet<>(posix.permissions()) + posix.owner() + posix.group();
        }
        return text;
    }

    private String neutral(String text) {
        return text.replace(directory.toString(), "<dir>");
    }

    /** An operation without a result. */
    public interface Action {
        void run() throws Exception;
    }
}
