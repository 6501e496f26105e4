package io.mio.cli.plot.html;

/**
 * How a page looks when it is opened; the reader can change all of it there.
 *
 * @param title title of the page; null: made of the runs' labels
 * @param theme {@code light} or {@code dark}; null: that of the reader's system
 * @param layout layout of several runs: {@code side} or {@code overlay}
 * @param filter options of {@code mio plot} by which the events were chosen, but for times, as a
 *     shell takes them; empty: all events
 */
public record PageOptions(String title, String theme, String layout, String filter) {
    /** Returns the options that suit most readers. */
    public static PageOptions usual() {
        return new PageOptions(null, null, "side", "");
    }
}
