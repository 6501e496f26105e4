package io.mio.cli.plot;

/**
 * A series of marks: of one file, seen at one stage, of one kind.
 *
 * @param file index in {@link RunPlot#files}
 * @param stage where it was seen
 * @param what what the marks stand for
 */
public record Series(int file, Stage stage, What what) {}
