package io.mio.stack;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.LineText;
import io.mio.stats.StatsOutput;
import java.io.IOException;
import java.util.Locale;

/**
 * Prints a line at each open and close of the file itself: option {@code debug} of the last layer
 * (reference 3.5). The wording is ours; that of the original is not known.
 */
final class OsDebugLayer extends ForwardingLayer {
    private final String file;
    private final StatsOutput output;

    OsDebugLayer(Layer os, OpenRequest request, StatsOutput output) {
        super(os.name(), os);
        this.file = LineText.of(request.name());
        this.output = output;
        output.debug(
                String.format(
                        Locale.ROOT,
                        "%s open : %s : oflags =0x%x=%s size=%d%n",
                        name(),
                        file,
                        request.oflags(),
                        OpenFlags.names(request.oflags()),
                        request.sizeBytes()),
                false);
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
            output.debug(name() + " close : " + file + "\n", false);
        } catch (IOException e) {
            output.debug(name() + " close : " + file + " : " + e.getMessage() + "\n", false);
            throw e;
        }
    }

    /** Shows the layer below only, as if this one were not there. */
    @Override
    public String toString() {
        return next().toString();
    }
}
