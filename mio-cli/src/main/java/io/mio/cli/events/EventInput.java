package io.mio.cli.events;

import io.mio.cli.term.NoName;
import io.mio.cli.term.OutputFile;
import io.mio.events.EventFormatException;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Opens events files, or says in words why that cannot be done. */
public final class EventInput {
    private static final String STDIN = "-";
    private static final int SNIFF_BYTES = 4096;

    private EventInput() {}

    /**
     * Opens the file of this name.
     *
     * @throws IOException if it cannot be read; the message is for users, with the name in it
     */
    public static EventReader open(String name) throws IOException {
        if (name.equals(STDIN)) {
            throw new IOException(
                    "standard input: is not read, as events files tell at several places what is in"
                            + " them; name a file");
        }
        // An empty name would mean the working directory.
        if (name.isEmpty()) {
            throw new IOException(NoName.words(name));
        }
        try {
            Path path = Path.of(name);
            BasicFileAttributes facts = Files.readAttributes(path, BasicFileAttributes.class);
            if (facts.isDirectory()) {
                throw new IOException(name + ": is a directory; name the events files in it");
            }
            // Opening a pipe would wait for a writer.
            if (!facts.isRegularFile()) {
                throw new IOException(name + ": is a pipe or device; name a file");
            }
            if (facts.size() == 0) {
                throw new IOException(
                        name + ": is empty; trace/events=FILE or mio run --events makes events");
            }
            return open(name, path);
        } catch (NoSuchFileException e) {
            throw new IOException(name + ": " + missing(name, e), e);
        } catch (InvalidPathException e) {
            throw new IOException(NoName.words(name), e);
        } catch (java.nio.file.FileSystemException e) {
            throw new IOException(name + ": " + OutputFile.reason(e), e);
        }
    }

    private static EventReader open(String name, Path path) throws IOException {
        try {
            return EventReader.open(path);
        } catch (EventFormatException e) {
            String what = what(path);
            throw what == null ? e : new IOException(name + ": " + what, e);
        }
    }

    private static String missing(String name, NoSuchFileException failure) throws IOException {
        Path path = Path.of(name);
        return Files.isSymbolicLink(path)
                ? "is a symbolic link to " + Files.readSymbolicLink(path) + ", which is not there"
                : OutputFile.reason(failure);
    }

    /** Returns what the file is instead, and what to do with it; null if that is not known. */
    private static String what(Path path) throws IOException {
        byte[] begin;
        try (InputStream in = Files.newInputStream(path)) {
            begin = in.readNBytes(SNIFF_BYTES);
        }
        if (begin.length > 1 && (begin[0] & 0xff) == 0x1f && (begin[1] & 0xff) == 0x8b) {
            return "is packed; unpack it first: gzip -d";
        }
        String text = new String(begin, StandardCharsets.ISO_8859_1);
        boolean report =
                text.startsWith("{\"type\"")
                        || text.contains("MIO statistics file :")
                        || text.startsWith("Trace ") && text.contains(" <-> ");
        return report ? "is a report and has no events; see it with: mio stats" : null;
    }
}
