package io.mio.cli.advise;

import io.mio.events.EventFile;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the blocks of a file that are read, each once for a process: a block counts as read again
 * only where a cache of that process could still have it. Opens of one name may be of different
 * files.
 */
final class Passes {
    /** Size of a block, bytes. */
    private static final int BLOCK_BYTES = 16 << 10;

    /**
     * Blocks that are told apart, 256 GiB; one farther into the file shares a bit with one of them.
     */
    private static final int BLOCKS_MAX = 1 << 24;

    /** Most processes or files of one name whose blocks are held, because each takes memory. */
    private static final int HELD_MAX = 64;

    /** A file as one process reads it. */
    private record Reader(long process, long device, long inode) {}

    /** The blocks that one process has read of a file. */
    static final class Blocks {
        private final BitSet read = new BitSet();
        private long count;
    }

    /** The blocks that were read; null if there are none. Those used last are at the end. */
    private Map<Reader, Blocks> blocks;

    private long count;

    /** The most that one process has read of a file. */
    private long most;

    /** The blocks of this open, which {@link #add} marks as read. */
    Blocks of(EventFile file) {
        Reader reader = new Reader(file.process(), file.device(), file.inode());
        if (blocks == null) {
            blocks = new LinkedHashMap<>(2, 1, true);
        }
        Blocks found = blocks.computeIfAbsent(reader, any -> new Blocks());
        if (blocks.size() > HELD_MAX) {
            blocks.remove(blocks.keySet().iterator().next());
        }
        return found;
    }

    void add(Blocks blocksRead, long offset, long bytes) {
        long to = (offset + bytes - 1) / BLOCK_BYTES;
        long from = Math.max(offset / BLOCK_BYTES, to - BLOCKS_MAX);
        for (long block = from; block <= to; block++) {
            int bit = (int) (block % BLOCKS_MAX);
            if (!blocksRead.read.get(bit)) {
                blocksRead.read.set(bit);
                blocksRead.count++;
                count++;
            }
        }
        most = Math.max(most, blocksRead.count);
    }

    /** Adds the blocks of another file, for a group. */
    void add(Passes other) {
        count += other.count;
        most = Math.max(most, other.most);
    }

    /** What follows is of other processes, even if they have the same numbers. */
    void nextRecording() {
        blocks = null;
    }

    /** About how many different bytes one process read of one file, at most. */
    long mostBytes() {
        return most * BLOCK_BYTES;
    }

    /** About how many different bytes were read, of all processes together. */
    long bytes() {
        return count * BLOCK_BYTES;
    }
}
