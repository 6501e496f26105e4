package io.mio.cli.stats;

/**
 * Something unusual about one file.
 *
 * @param text the figures, in words
 * @param weight notes of one kind are shown by this, the largest first
 */
record Note(NoteKind kind, String program, String file, String text, long weight) {}
