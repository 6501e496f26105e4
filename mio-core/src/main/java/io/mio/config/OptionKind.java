package io.mio.config;

/** What can be typed for an option. */
public enum OptionKind {
    /** A word that switches on, and mostly one that switches off. */
    FLAG,
    /** One word out of several. */
    CHOICE,
    /** Bytes, with an optional k, m, g or t (powers of 1024). */
    SIZE,
    /** A number, written like a size. */
    INTEGER,
    /** Text as typed; braces round it where it has blanks or separators. */
    STRING,
    /** Two numbers with a colon between them. */
    RANGE
}
