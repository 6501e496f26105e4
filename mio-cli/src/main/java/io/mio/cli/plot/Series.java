package io.mio.cli.plot;

/**
 * Marks that belong together: of one file, seen at one stage, of one kind.
 *
 * @param file index in {@link RunPlot#files}
 * @param stage where it was seen
 * @param what it is
 */
public record Series(int file, Stage stage, What what) {}
