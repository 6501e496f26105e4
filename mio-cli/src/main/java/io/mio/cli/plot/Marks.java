package io.mio.cli.plot;

/** Marks in the order of their starts, in columns. Not changed once made. */
public interface Marks {
    /** How many. */
    int size();

    /** The mark at 0 to size - 1; made for the call. */
    Mark get(int index);
}
