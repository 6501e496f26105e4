package io.mio.pf;

import io.mio.layer.FileKey;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.MappedByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which files the program has mapped, by mappings of one kind. */
final class Mappings {
    private final Set<Mapping> mappings = ConcurrentHashMap.newKeySet();
    private final Set<FileKey> mappedForGood = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> unmapped = new ReferenceQueue<>();

    /** One that the program may use at any time. */
    private static final class Mapping extends WeakReference<Object> {
        private final FileKey key;

        Mapping(FileKey key, Object mapped, ReferenceQueue<Object> unmapped) {
            super(mapped, unmapped);
            this.key = key;
        }
    }

    /** The program may use {@code mapped} as long as that lives. */
    void add(FileKey key, Object mapped) {
        purge();
        if (key == null) {
            return;
        }
        if (mapped instanceof MappedByteBuffer) {
            mappings.add(new Mapping(key, mapped, unmapped));
        } else {
            // A memory segment may go while its memory stays with the arena.
            mappedForGood.add(key);
        }
    }

    /** The file was made just now: what was true of an earlier one with that inode is not of it. */
    void isNew(FileKey key) {
        mappedForGood.remove(key);
    }

    /** True while there is a mapping of the file. */
    boolean has(FileKey key) {
        if (key == null || mappings.isEmpty() && mappedForGood.isEmpty()) {
            return false;
        }
        purge();
        for (Mapping mapping : mappings) {
            if (mapping.key.equals(key)) {
                return true;
            }
        }
        return mappedForGood.contains(key);
    }

    private void purge() {
        for (Reference<?> gone = unmapped.poll(); gone != null; gone = unmapped.poll()) {
            mappings.remove(gone);
        }
    }
}
