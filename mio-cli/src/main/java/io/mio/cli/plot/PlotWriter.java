package io.mio.cli.plot;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Makes a document of runs. */
public interface PlotWriter {
    /**
     * Writes the document; the stream stays open.
     *
     * @param runs at least one
     * @throws IOException if the stream does not take it
     */
    void write(List<RunPlot> runs, OutputStream out) throws IOException;
}
