package io.mio.cli.bench;

import java.util.Locale;

/** What is in the kernel's page cache of a file before it is measured. */
public enum FileState {
    /** No page. */
    COLD("no page in memory before each test, found "),
    /** All pages. */
    WARM("all pages in memory before each test, found "),
    /** No page before a first pass; before a second one what the first has left. */
    TWICE(
            "two passes of each test, and figures of both together; no page in memory before the"
                    + " first, found ");

    private final String text;

    FileState(String text) {
        this.text = text;
    }

    /** For example {@code cold}: that of the option and in reports. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** In words, up to how it was found to be so. */
    String text() {
        return text;
    }
}
