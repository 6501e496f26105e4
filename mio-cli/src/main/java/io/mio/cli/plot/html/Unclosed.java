package io.mio.cli.plot.html;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Ends what was wrapped around a stream, and leaves the stream open. */
final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
