package io.mio.cli.plot;

/** Marks in the order of their starts, in columns. They do not change once made. */
public interface Marks {
    /** Returns the number of marks. */
    int size();

    /** Returns the mark at 0 to size - 1, made for this call. */
    Mark get(int index);
}
