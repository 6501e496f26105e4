package io.mio.cli.plot;

import io.mio.events.EventFile;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which file and which stage each definition belongs to. The definitions themselves are not kept,
 * as there may be very many.
 *
 * <p>Two definitions are of one file if their paths are the same text, even if the file was
 * replaced; for relative paths only within one process, as another one may be in another directory.
 * They are also of one file if device, inode and last name are the same: {@code x} and {@code ./x}.
 * Device and inode alone are not enough: a new file gets the inode of one that was deleted.
 */
final class FileTable {
    private static final Stage[] STAGES = Stage.values();

    private record Place(long process, String path) {}

    private record Identity(long device, long inode, String name) {}

    /** Ids of the definitions, rising; a definition is known by its place here. */
    private final int[] ids;

    private final int[] files;
    private final byte[] stages;
    private final int[] caches;
    private final int[] pages;
    private int fileCount;

    // The next arrays are indexed by file.
    private String[] paths;
    private long[] sizes;
    private long[] samples;

    FileTable(Collection<EventFile> definitions) {
        List<EventFile> sorted =
                definitions.stream().sorted(Comparator.comparingInt(EventFile::id)).toList();
        int count = sorted.size();
        ids = new int[count];
        files = new int[count];
        stages = new byte[count];
        caches = new int[count];
        pages = new int[count];
        paths = new String[count];
        sizes = new long[count];
        samples = new long[count];
        Map<Object, Integer> known = new HashMap<>();
        for (int i = 0; i < count; i++) {
            EventFile definition = sorted.get(i);
            ids[i] = definition.id();
            files[i] = file(definition, known);
            stages[i] = (byte) Stages.of(definition).ordinal();
            caches[i] = (int) definition.cache();
            pages[i] = (int) definition.pageBytes();
            int file = files[i];
            sizes[file] = Math.max(sizes[file], definition.sizeBytes());
            samples[file] = Math.max(samples[file], definition.sample());
        }
        paths = Arrays.copyOf(paths, fileCount);
        sizes = Arrays.copyOf(sizes, fileCount);
        samples = Arrays.copyOf(samples, fileCount);
    }

    private int file(EventFile definition, Map<Object, Integer> known) {
        String path = definition.path();
        boolean hasInode = definition.inode() != 0;
        Object place =
                path.startsWith("/") || !hasInode ? path : new Place(definition.process(), path);
        Identity identity =
                hasInode
                        ? new Identity(
                                definition.device(),
                                definition.inode(),
                                path.substring(path.lastIndexOf('/') + 1))
                        : null;
        Integer file = known.get(place);
        if (file == null && identity != null) {
            file = known.get(identity);
        }
        if (file == null) {
            file = fileCount++;
            paths[file] = path;
        }
        known.putIfAbsent(place, file);
        if (identity != null) {
            known.putIfAbsent(identity, file);
        }
        return file;
    }

    /** Returns the place of a definition in this table; negative if it is not known. */
    int definition(int id) {
        return id > 0 && id <= ids.length && ids[id - 1] == id
                ? id - 1
                : Arrays.binarySearch(ids, id);
    }

    int id(int definition) {
        return ids[definition];
    }

    /** Returns the file, 0 to {@link #fileCount} - 1. */
    int file(int definition) {
        return files[definition];
    }

    Stage stage(int definition) {
        return STAGES[stages[definition]];
    }

    /** Returns the number of the definition's cache in its process. */
    long cache(int definition) {
        return Integer.toUnsignedLong(caches[definition]);
    }

    /** Returns the bytes of a page of the definition's cache, 0 without a cache. */
    long pageBytes(int definition) {
        return Integer.toUnsignedLong(pages[definition]);
    }

    int fileCount() {
        return fileCount;
    }

    /** Returns the first path of a file. */
    String path(int file) {
        return paths[file];
    }

    /** Returns the largest size of a file at an open. */
    long sizeBytes(int file) {
        return sizes[file];
    }

    /** Returns the sampling of a file: one call in so many is recorded. */
    long sample(int file) {
        return samples[file];
    }
}
