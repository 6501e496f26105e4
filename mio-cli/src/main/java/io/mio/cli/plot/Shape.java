package io.mio.cli.plot;

/** How a mark lies in the plane of time and offset. */
public enum Shape {
    /** One event, exactly: from its start to its end, all the bytes it concerns. */
    EVENT,
    /**
     * Several transfers that follow one another, drawn as the straight line from (start, offset) to
     * (end, offsetEnd); offsetEnd is the smaller one where they go backward. No transfer is further
     * from the line than the steps of the {@link Level}.
     */
    LINE,
    /** Several events, of which nothing is known but that they lie within the box. */
    BOX
}
