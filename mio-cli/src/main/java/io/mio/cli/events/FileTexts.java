package io.mio.cli.events;

import io.mio.events.EventFile;
import java.util.Map;
import java.util.function.Function;

/**
 * Caches what a function makes of files, for the files that were met last: memory is bounded,
 * however many there are. For a file that nobody defined, the function gets {@code null}.
 */
public final class FileTexts<T> {
    private static final int KEPT = 1 << 12;

    private final Map<Integer, EventFile> files;
    private final Function<EventFile, T> make;
    private final int[] ids = new int[KEPT];
    private final Object[] made = new Object[KEPT];

    /**
     * Makes an empty cache.
     *
     * @param files by id
     * @param make called with a file or with null; never returns null
     */
    public FileTexts(Map<Integer, EventFile> files, Function<EventFile, T> make) {
        this.files = files;
        this.make = make;
    }

    /** Returns what the function makes of the file with this id. */
    @SuppressWarnings("unchecked") // The array holds results of the function only.
    public T of(int id) {
        int place = id & KEPT - 1;
        if (made[place] == null || ids[place] != id) {
            made[place] = make.apply(files.get(id));
            ids[place] = id;
        }
        return (T) made[place];
    }
}
