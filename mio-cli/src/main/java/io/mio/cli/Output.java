package io.mio.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.Charset;
import picocli.CommandLine;

/**
 * Standard output that remembers a failed write: a report that a full disk did not take must not
 * look like a success. When the reader has gone, as with {@code mio stats | head}, only the exit
 * status tells so.
 */
final class Output {
    private final PrintStream stream;
    private IOException failure;

    /**
     * @param charset encoding of the text, the JVM's own for standard output
     */
    Output(OutputStream out, Charset charset) {
        stream = new PrintStream(new Watched(out), true, charset);
    }

    /** Returns the output of this process, in the encoding of its standard output. */
    static Output ofProcess() {
        String name =
                System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
        return new Output(
                new FileOutputStream(FileDescriptor.out),
                name == null ? Charset.defaultCharset() : Charset.forName(name));
    }

    PrintStream stream() {
        return stream;
    }

    /**
     * Returns the exit status for a command that ended with {@code status}, and reports lost
     * output.
     */
    int statusOf(int status, PrintStream err) {
        stream.flush();
        if (failure == null) {
            return status;
        }
        if (!saysNoReader(failure)) {
            err.println(
                    "mio: standard output: "
                            + failure.getMessage()
                            + "; what was printed is not complete");
        }
        return status == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : status;
    }

    /**
     * Tells whether the write failed because the reader has gone. Java does not tell the error
     * number, so this compares the C library's message, which is in the user's language.
     */
    private static boolean saysNoReader(IOException failure) {
        try {
            Pipe pipe = Pipe.open();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                pipe.source().close();
                sink.write(ByteBuffer.allocate(1));
            }
            return false;
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).equals(failure.getMessage());
        }
    }

    private final class Watched extends OutputStream {
        private final OutputStream out;

        Watched(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            try {
                out.write(bytes, from, count);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }
}
