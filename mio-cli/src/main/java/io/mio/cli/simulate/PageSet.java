package io.mio.cli.simulate;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A set of page numbers. It is held in pieces, so that pages far into a file cost no more memory
 * than those at its beginning.
 */
final class PageSet {
    private static final int PIECE_SHIFT = 15;
    private static final int PIECE_MASK = (1 << PIECE_SHIFT) - 1;

    private final Map<Integer, BitSet> pieces = new HashMap<>();

    // The piece that was asked for last, and its number.
    private int number = -1;
    private BitSet piece;

    private void find(int page) {
        int wanted = page >> PIECE_SHIFT;
        if (number != wanted) {
            number = wanted;
            piece = pieces.get(wanted);
        }
    }

    /**
     * @param page its number, 0-based
     */
    boolean has(int page) {
        find(page);
        return piece != null && piece.get(page & PIECE_MASK);
    }

    /**
     * @param page its number, 0-based
     */
    void add(int page) {
        find(page);
        if (piece == null) {
            piece = new BitSet();
            pieces.put(number, piece);
        }
        piece.set(page & PIECE_MASK);
    }
}
