package io.mio.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import picocli.CommandLine;

/**
 * Standard output that remembers what went wrong: a report that a full disk did not take must not
 * look like a success. That nobody reads any more, as with {@code mio stats | head}, is told by the
 * exit status alone.
 */
final class Output {
    private static final String NO_READER = "Broken pipe";

    private final PrintStream stream;
    private IOException failure;

    /**
     * @param charset as the JVM's own
     */
    Output(OutputStream out, Charset charset) {
        stream = new PrintStream(new Watched(out), true, charset);
    }

    /** Of this process, in the encoding of its standard output. */
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

    /** The exit status of a command that ended with {@code status}; says what was lost. */
    int statusOf(int status, PrintStream err) {
        stream.flush();
        if (failure == null) {
            return status;
        }
        if (!NO_READER.equals(failure.getMessage())) {
            err.println(
                    "mio: standard output: "
                            + failure.getMessage()
                            + "; what was printed is not complete");
        }
        return status == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : status;
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
