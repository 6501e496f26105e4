package io.mio.cli.events;

import io.mio.events.EventFile;
import java.util.Map;
import java.util.function.Function;

/**
 * What is made of files, for those that were met last: bounded memory, however many there are. A
 * file that nobody defined is {@code null} for the function.
 */
public final class FileTexts<T> {
    private static final int KEPT = 1 << 12;

    private final Map<Integer, EventFile> files;
    private final Function<EventFile, T> make;
    private final int[] ids = new int[KEPT];
    private final Object[] made = new Object[KEPT];

    /**
     * @param files by id
     * @param make of a file, or of null; never null
     */
    public FileTexts(Map<Integer, EventFile> files, Function<EventFile, T> make) {
        this.files = files;
        this.make = make;
    }

    /** That of the file of this id. */
    @SuppressWarnings("unchecked") // Only what the function made is there.
    public T of(int id) {
        int place = id & KEPT - 1;
        if (made[place] == null || ids[place] != id) {
            made[place] = make.apply(files.get(id));
            ids[place] = id;
        }
        return (T) made[place];
    }
}
