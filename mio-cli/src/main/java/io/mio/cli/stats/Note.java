package io.mio.cli.stats;

/**
 * Something unusual about one file.
 *
 * @param text the figures, in words
 * @param weight the larger, the earlier it is shown among those of its kind
 */
record Note(NoteKind kind, String program, String file, String text, long weight) {}
