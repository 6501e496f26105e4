package io.mio.cli.bench;

import java.util.Locale;

/** How much of a file the kernel's page cache holds before it is measured. */
public enum FileState {
    /** No page of the file. */
    COLD("no page in memory before each test, found "),
    /** All pages of the file. */
    WARM("all pages in memory before each test, found "),
    /** No page before a first pass; before a second one, what the first has left. */
    TWICE(
            "two passes of each test, and figures of both together; no page in memory before the"
                    + " first, found ");

    private final String text;

    FileState(String text) {
        this.text = text;
    }

    /** Returns the word of the option and of reports, for example {@code cold}. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the state in words, up to how it was found to be so. */
    String text() {
        return text;
    }
}
