package io.mio.pf;

import io.mio.layer.FileKey;
import java.lang.ref.WeakReference;
import java.nio.MappedByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The files that the program has mapped, by mappings of one kind. */
final class Mappings {
    /** Fewer mappings than this are never swept. */
    private static final int FEW = 64;

    private final Set<Mapping> mappings = ConcurrentHashMap.newKeySet();
    private final Set<FileKey> mappedForGood = ConcurrentHashMap.newKeySet();

    /** Mappings at which the dead ones are swept. */
    private volatile int sweepAt = FEW;

    /** A mapping that the program may use at any time. */
    private abstract static class Mapping {
        private final FileKey key;

        Mapping(FileKey key) {
            this.key = key;
        }

        abstract boolean isAlive();
    }

    /** A mapping that lives as long as an object. */
    private static final class Collected extends Mapping {
        private final WeakReference<Object> lives;

        Collected(FileKey key, Object lives) {
            super(key);
            this.lives = new WeakReference<>(lives);
        }

        @Override
        boolean isAlive() {
            return lives.get() != null;
        }
    }

    /** A mapping that lives until the program ends its scope. */
    private static final class Scoped extends Mapping {
        private final MappedScope scopes;
        private final Object scope;

        Scoped(FileKey key, MappedScope scopes, Object scope) {
            super(key);
            this.scopes = scopes;
            this.scope = scope;
        }

        @Override
        boolean isAlive() {
            return scopes.isAlive(scope);
        }
    }

    /**
     * Adds a mapping: the program may use {@code mapped} as long as that lives.
     *
     * @param scopes knows of mappings that are no {@link MappedByteBuffer}; null: nothing does
     * @param forGood false: a mapping that would have to be kept for good is left out
     */
    void add(FileKey key, Object mapped, MappedScope scopes, boolean forGood) {
        if (key == null) {
            return;
        }
        Mapping mapping = of(key, mapped, scopes);
        if (mapping == null) {
            if (forGood) {
                mappedForGood.add(key);
            }
            return;
        }
        if (mappings.size() >= sweepAt) {
            sweep();
        }
        mappings.add(mapping);
    }

    /**
     * Null where nothing knows the mapping's end. A segment may go while its memory stays with the
     * arena.
     */
    private static Mapping of(FileKey key, Object mapped, MappedScope scopes) {
        if (mapped instanceof MappedByteBuffer) {
            return new Collected(key, mapped);
        }
        Object scope = scopes == null ? null : scopes.of(mapped);
        if (scope == null) {
            return null;
        }
        return scopes.isCollected(scope)
                ? new Collected(key, scope)
                : new Scoped(key, scopes, scope);
    }

    /**
     * The file was just made: what is known of an earlier file with its inode does not hold for it.
     */
    void isNew(FileKey key) {
        mappedForGood.remove(key);
    }

    /** True while there may be a mapping of the file. */
    boolean has(FileKey key) {
        if (key == null || mappings.isEmpty() && mappedForGood.isEmpty()) {
            return false;
        }
        for (Mapping mapping : mappings) {
            if (mapping.key.equals(key) && mapping.isAlive()) {
                return true;
            }
        }
        return mappedForGood.contains(key);
    }

    /** Sweeps dead mappings. The next sweep comes when as many were added as were kept. */
    private void sweep() {
        mappings.removeIf(mapping -> !mapping.isAlive());
        sweepAt = Math.max(FEW, 2 * mappings.size());
    }

    /** How many are remembered: for tests. */
    int size() {
        return mappings.size() + mappedForGood.size();
    }
}
