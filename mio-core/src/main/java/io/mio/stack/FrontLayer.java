package io.mio.stack;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.stats.FileReport;
import io.mio.stats.OpenReports;
import java.io.IOException;

/**
 * The first layer of every stack, {@code mio}: where the program's calls come in. Never shown in
 * reports (reference 1.3). When the layers below have closed it has the file's report written, in
 * one piece.
 */
final class FrontLayer extends ForwardingLayer {
    private final OpenReports.Handle report;

    FrontLayer(String name, Layer next, FileReport report) {
        super(name, next);
        this.report = OpenReports.open(this, report);
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            report.close();
        }
    }
}
