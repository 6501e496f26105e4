package io.mio.cli.term;

import java.io.PrintWriter;

/**
 * One line on standard error that changes while something long goes on and is gone at the end. It
 * is shown only if standard error is a terminal. Not safe for several threads.
 */
public final class Progress implements AutoCloseable {
    private static final long NANOS_BETWEEN = 200_000_000;

    private final PrintWriter err;
    private final Terminal terminal;
    private final String command;
    private long shownNanos;
    private boolean shown;

    /**
     * Makes a line that is not shown yet.
     *
     * @param command begins the line, for example {@code mio stats}
     */
    public Progress(PrintWriter err, Terminal terminal, String command) {
        this.err = err;
        this.terminal = terminal;
        this.command = command;
        // Short work shows nothing at all.
        this.shownNanos = System.nanoTime() + NANOS_BETWEEN;
    }

    /**
     * Returns true if a {@link #show} would be seen now, so that making the text is worth its cost.
     */
    public boolean isDue() {
        return terminal.errIsTerminal() && System.nanoTime() - shownNanos > NANOS_BETWEEN;
    }

    /** Shows how far the work is, if it is time to. */
    public void show(String text) {
        if (isDue()) {
            shownNanos = System.nanoTime();
            shown = true;
            err.print("\r\033[K" + SafeText.shorten(command + ": " + SafeText.of(text), 79));
            err.flush();
        }
    }

    @Override
    public void close() {
        if (shown) {
            shown = false;
            err.print("\r\033[K");
            err.flush();
        }
    }
}
