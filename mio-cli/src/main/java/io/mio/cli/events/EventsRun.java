package io.mio.cli.events;

import io.mio.cli.events.EventsOptions.Form;
import io.mio.cli.events.export.ChromeExport;
import io.mio.cli.events.export.CsvExport;
import io.mio.cli.events.export.EventExport;
import io.mio.cli.events.export.FioIologExport;
import io.mio.cli.events.export.JsonLinesExport;
import io.mio.cli.events.export.PerfettoExport;
import io.mio.cli.term.CliException;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import io.mio.events.Event;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Reads events files one after the other and shows or writes what was asked for. */
public final class EventsRun {
    /** Exit status: all of the input was read. */
    public static final int OK = 0;

    /** Exit status: nothing could be read, or written. */
    public static final int FAILED = 1;

    /** Exit status: a part of the input could not be read. */
    public static final int DAMAGED = 3;

    private static final int EVENTS_BETWEEN_PROGRESS = 1 << 14;
    private static final int LINE_MAX = 300;

    private final EventsOptions options;
    private final Terminal terminal;
    private final OutputStream stdout;
    private final PrintWriter err;
    private boolean damaged;

    /** Whether an input failed in the middle, so that what was written is not a whole document. */
    private boolean cut;

    /** Places of the inputs that cannot be read, for which the reason has been printed. */
    private final BitSet refused = new BitSet();

    private long chosen;
    private int read;

    /**
     * Makes a run.
     *
     * @param stdout where the output goes unless it goes to a file
     */
    public EventsRun(
            EventsOptions options, Terminal terminal, PrintStream stdout, PrintWriter err) {
        this.options = options;
        this.terminal = options.output() == null ? terminal : forFile(terminal);
        this.stdout = new Watched(stdout);
        this.err = err;
    }

    private static Terminal forFile(Terminal terminal) {
        return new Terminal(false, terminal.errIsTerminal(), Terminal.WIDE, false, true);
    }

    /**
     * Reads all inputs.
     *
     * @return exit status
     */
    public int run(List<String> inputs) {
        if (inputs.size() > 1) {
            check(inputs);
        }
        try {
            if (options.output() == null) {
                all(inputs, null, stdout);
            } else {
                toFile(inputs);
            }
        } catch (OutputException e) {
            if (options.output() == null) {
                // Standard output remembers the failure, and reports it at the end.
                return FAILED;
            }
            throw new CliException(
                    options.output() + ": cannot be written: " + OutputFile.reason(e.why()));
        }
        if (read == 0) {
            return FAILED;
        }
        if (chosen == 0 && !options.summary()) {
            say("no event fits what was asked for; see mio events FILE --summary");
        }
        return damaged ? DAMAGED : OK;
    }

    /**
     * Opens each of several inputs before anything is written. A single input needs no check, as it
     * is opened before any of its output.
     */
    private void check(List<String> inputs) {
        for (int i = 0; i < inputs.size(); i++) {
            try {
                EventInput.open(inputs.get(i)).close();
            } catch (IOException e) {
                refuse(i, e.getMessage());
            }
        }
    }

    private void refuse(int input, String why) {
        damaged = true;
        refused.set(input);
        say(why);
    }

    private static String named(String name, IOException e) {
        return name + ": " + OutputFile.reason(e);
    }

    private void toFile(List<String> inputs) {
        try (OutputFile file = OutputFile.create(options.output())) {
            if (options.form() == Form.EVENTS && !file.isFile()) {
                throw new CliException(options.output() + ": is no file; events need one");
            }
            OutputStream out = file.stream();
            all(inputs, file, out);
            if (cut) {
                throw new CliException(
                        options.output()
                                + ": not made, as an input could not be read to its end; what was"
                                + " there before stays");
            }
            if (read > 0) {
                out.flush();
                file.commit();
            }
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    private void all(List<String> inputs, OutputFile file, OutputStream out) {
        int next = refused.nextClearBit(0);
        while (next < inputs.size() && chosen < options.limit()) {
            int before = read;
            try (EventReader reader = EventInput.open(inputs.get(next))) {
                one(reader, inputs.get(next), inputs.size() > 1 ? next + 1 : 0, file, out);
            } catch (IOException e) {
                boolean inTheMiddle = read > before;
                cut |= inTheMiddle;
                refuse(next, inTheMiddle ? named(inputs.get(next), e) : e.getMessage());
            }
            next = refused.nextClearBit(next + 1);
        }
        if (next < inputs.size()) {
            List<String> left =
                    IntStream.range(next, inputs.size())
                            .filter(i -> !refused.get(i))
                            .mapToObj(inputs::get)
                            .toList();
            say("not looked into, as what is before fills --limit: " + String.join(", ", left));
        }
    }

    private void one(EventReader reader, String name, int run, OutputFile file, OutputStream out)
            throws IOException {
        read++;
        EventFilter filter = options.filter().filter(reader);
        Anonymizer anonymizer =
                options.anonymize()
                        ? new Anonymizer(Definitions.of(reader, filter), options.keepExtensions())
                        : null;
        try (EventReader shown = anonymizer == null ? reader : reader(anonymizer.definitions());
                Progress progress = new Progress(err, terminal, "mio events")) {
            EventExport export = open(reader, shown, filter, anonymizer, run, file, out);
            try {
                copy(reader, filter, anonymizer, export, name, progress);
            } catch (IOException e) {
                if (file == null) {
                    // No file is replaced here, so what could be read is shown with a proper end.
                    end(export);
                }
                throw e;
            }
            end(export);
            if (export instanceof FioIologExport iolog) {
                iolog.leftOut().forEach(line -> say(name + ": " + line));
            }
            for (String line : FileFacts.unread(reader.losses())) {
                damaged = true;
                say(name + ": " + line);
            }
        }
    }

    /** Returns a reader of these definitions alone, for exports that ask a reader for them. */
    private static EventReader reader(Definitions definitions) throws IOException {
        Path file = Files.createTempFile("mio-", ".events");
        try {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                new EventFileWriter(channel, definitions).close();
            }
            return EventReader.open(file);
        } finally {
            // The open channel can still read the file.
            Files.delete(file);
        }
    }

    private EventExport open(
            EventReader reader,
            EventReader shown,
            EventFilter filter,
            Anonymizer anonymizer,
            int run,
            OutputFile target,
            OutputStream out) {
        try {
            if (options.summary()) {
                return summary(reader, shown, out);
            }
            return switch (options.form()) {
                case TEXT ->
                        new TextDump(
                                shown,
                                reader::losses,
                                shown.decisions().stream().filter(filter::test).toList(),
                                out,
                                terminal,
                                run);
                case CSV -> new CsvExport(shown, out, run, read == 1);
                case JSONL -> new JsonLinesExport(shown, reader::losses, out, run);
                case PERFETTO -> new PerfettoExport(shown, out);
                case CHROME -> new ChromeExport(shown, out);
                case FIO ->
                        options.filter().choosesSystem()
                                ? new FioIologExport(shown, out, file -> true)
                                : new FioIologExport(shown, out);
                case EVENTS ->
                        new EventFileWriter(
                                target.channel(),
                                anonymizer == null
                                        ? Definitions.of(reader, filter)
                                        : anonymizer.definitions());
            };
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    private EventExport summary(EventReader reader, EventReader shown, OutputStream out) {
        Summary summary = new Summary(shown, options.namesMax());
        return new EventExport() {
            @Override
            public void event(Event event) {
                summary.add(event);
            }

            @Override
            public void close() throws IOException {
                String text =
                        options.json()
                                ? SummaryJson.text(summary, shown, reader.losses(), options.top())
                                : String.join(
                                        "\n",
                                        SummaryText.lines(
                                                summary,
                                                shown,
                                                reader.losses(),
                                                terminal,
                                                options.top()));
                out.write((text + "\n").getBytes(FileFacts.charset(terminal)));
                out.flush();
            }
        };
    }

    private void copy(
            EventReader reader,
            EventFilter filter,
            Anonymizer anonymizer,
            EventExport export,
            String name,
            Progress progress)
            throws IOException {
        long seen = 0;
        for (Event event = reader.next();
                event != null && chosen < options.limit();
                event = reader.next()) {
            if (++seen % EVENTS_BETWEEN_PROGRESS == 0 && progress.isDue()) {
                progress.show(name + ": " + FileFacts.events(seen));
            }
            if (filter.test(event)) {
                chosen++;
                write(export, anonymizer == null ? event : anonymizer.event(event));
            }
        }
    }

    private static void write(EventExport export, Event event) {
        try {
            export.event(event);
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    private static void end(EventExport export) {
        try {
            export.close();
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    private void say(String text) {
        err.println("mio events: " + SafeText.shorten(SafeText.of(text), LINE_MAX));
        err.flush();
    }

    /** Thrown when the output failed, and not the input. */
    private static final class OutputException extends UncheckedIOException {
        private static final long serialVersionUID = 1;

        OutputException(IOException why) {
            super(why);
        }

        IOException why() {
            return getCause();
        }
    }

    /**
     * Throws when the print stream fails. The print stream itself hides its failures, so that ten
     * million lines might be written in vain.
     */
    private static final class Watched extends OutputStream {
        private final PrintStream out;

        Watched(PrintStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
            if (out.checkError()) {
                throw new IOException("standard output cannot be written");
            }
        }
    }
}
