package io.mio.cli.events;

import io.mio.cli.events.export.EventExport;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import io.mio.events.Event;
import io.mio.events.EventDecision;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventLosses;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One line for each event, for people and for {@code grep}. Lines that begin with {@code #} tell of
 * the file and of what is missing. The name of the file comes last, as it may be of any length.
 */
final class TextDump implements EventExport {
    private static final int RUN = 3;
    private static final int TIME = 14;
    private static final int PROCESS = 8;
    private static final int LAYER = 13;
    private static final int OPERATION = 16;
    private static final int OFFSET = 14;
    private static final int BYTES = 10;
    private static final int DURATION = 13;
    private static final int ERROR = 12;
    private static final int NUMBER = 8;

    /** Width of all columns before the name, with a blank behind each. */
    private static final int BEFORE_NAME =
            TIME
                    + 2 * PROCESS
                    + LAYER
                    + OPERATION
                    + OFFSET
                    + 2 * BYTES
                    + DURATION
                    + ERROR
                    + NUMBER
                    + 11;

    private static final int NAME_MIN = 20;
    private static final int PROCESSES_SHOWN = 10;
    private static final String NONE = "-";

    /** How a file is shown. */
    private static final class Shown {
        final byte[] layer;
        final byte[] name;

        Shown(String layer, String name, Charset charset) {
            this.layer =
                    (layer + " ".repeat(Math.max(0, LAYER - SafeText.columns(layer))))
                            .getBytes(charset);
            this.name = name.getBytes(charset);
        }
    }

    private final TextBuffer out;
    private final Supplier<EventLosses> losses;
    private final int run;
    private final EventHeader header;
    private final FileTexts<Shown> files;
    private final Charset charset;

    /** Decisions for the files that are shown, in the order of their times. */
    private final List<EventDecision> decisions;

    private final Map<Integer, EventFile> defined;
    private int nextDecision;

    /**
     * Writes the heading.
     *
     * @param losses asked at the end
     * @param decisions the decisions to show, in the order of their times
     * @param run number of the input from 1, shown in a column of its own; 0 for none
     */
    TextDump(
            EventReader reader,
            Supplier<EventLosses> losses,
            List<EventDecision> decisions,
            OutputStream out,
            Terminal terminal,
            int run)
            throws IOException {
        this.out = new TextBuffer(out);
        this.decisions = decisions;
        this.defined = reader.files();
        this.losses = losses;
        this.run = run;
        this.header = reader.header();
        this.charset = FileFacts.charset(terminal);
        int nameColumns =
                Math.max(NAME_MIN, terminal.columns() - BEFORE_NAME - (run == 0 ? 0 : RUN + 1));
        this.files = new FileTexts<>(reader.files(), file -> shown(file, nameColumns));
        heading(reader);
    }

    private Shown shown(EventFile file, int nameColumns) {
        if (file == null) {
            return new Shown("?", Summary.UNDEFINED, charset);
        }
        String name = SafeText.shorten(SafeText.of(file.path()), nameColumns);
        String layer = SafeText.shorten(SafeText.of(layer(file)), LAYER);
        return new Shown(layer, name, charset);
    }

    /** Returns the layers on both sides of a trace layer, or the name of a cache. */
    static String layer(EventFile file) {
        return file.layer() == EventFormat.OF_TRACE
                ? file.above() + ">" + file.below()
                : file.name().isEmpty() ? "pf" : file.name();
    }

    private void heading(EventReader reader) throws IOException {
        if (run != 0) {
            comment("run " + run);
        }
        for (String line : FileFacts.lines(reader)) {
            comment(line);
        }
        List<EventProcess> processes = reader.processes();
        if (processes.size() > 1) {
            for (EventProcess process :
                    processes.subList(0, Math.min(PROCESSES_SHOWN, processes.size()))) {
                comment(
                        "process "
                                + process.process()
                                + " "
                                + process.program()
                                + ", begun by "
                                + process.parent());
            }
            if (processes.size() > PROCESSES_SHOWN) {
                comment("... and " + (processes.size() - PROCESSES_SHOWN) + " more processes");
            }
        }
        // The # takes the first character of the first column, so that the columns stay aligned.
        if (run != 0) {
            out.left("#Run", RUN + 1);
        }
        out.text(run == 0 ? "#" : " ").right("Time s", TIME - 1);
        out.character(' ').right("Process", PROCESS).character(' ').right("Thread", PROCESS);
        out.character(' ').left("Layer", LAYER).character(' ').left("Operation", OPERATION);
        out.character(' ').right("Offset", OFFSET).character(' ').right("Asked", BYTES);
        out.character(' ').right("Delivered", BYTES).character(' ').right("Took us", DURATION);
        out.character(' ').left("Error", ERROR).character(' ').left("Number", NUMBER);
        out.text(" File\n");
    }

    private void comment(String text) throws IOException {
        out.text("# ").bytes(SafeText.of(text).getBytes(charset)).character('\n');
    }

    @Override
    public void event(Event event) throws IOException {
        boolean lost = event.kind() == Event.Kind.DROPPED;
        decisionsUntil(event.endNanos());
        if (run != 0) {
            out.fixed(run, 0, RUN).character(' ');
        }
        out.fixed(event.startNanos(), 9, TIME).character(' ');
        out.fixed(event.process(), 0, PROCESS).character(' ');
        amount(lost ? -1 : event.thread(), PROCESS);
        Shown file = lost ? LOST : files.of(event.file());
        out.bytes(file.layer).character(' ');
        String operation = OperationSet.name(event);
        out.text(operation).character(event.append() ? '+' : ' ');
        out.blanks(OPERATION - operation.length());
        amount(event.offset(), OFFSET);
        amount(isAsked(event) ? event.requested() : -1, BYTES);
        amount(isDelivered(event) ? event.delivered() : -1, BYTES);
        out.fixed(event.durationNanos(), 3, DURATION).character(' ');
        out.left(event.failed() ? ErrnoName.of(event) : NONE, ERROR).character(' ');
        number(event);
        out.bytes(file.name).character('\n');
    }

    /**
     * Writes the decisions up to a time, so that they stand among the events; not in columns, as
     * reasons are long.
     */
    private void decisionsUntil(long nanos) throws IOException {
        while (nextDecision < decisions.size() && decisions.get(nextDecision).nanos() <= nanos) {
            EventDecision one = decisions.get(nextDecision++);
            EventFile file = defined.get(one.file());
            out.text("# decision ").fixed(one.nanos(), 9, 0).character(' ');
            out.fixed(one.process(), 0, 0).character(' ').fixed(one.thread(), 0, 0);
            out.character(' ');
            String text = one.what() + ": " + one.reason();
            out.bytes(SafeText.of(text).getBytes(charset)).text(" : ");
            String name = file == null ? Summary.UNDEFINED : SafeText.of(file.path());
            out.bytes(name.getBytes(charset)).character('\n');
        }
    }

    private static final Shown LOST = new Shown(NONE, NONE, StandardCharsets.US_ASCII);

    /**
     * Writes an amount right-aligned, with a blank behind it; -1 is not known, or does not apply.
     */
    private void amount(long amount, int width) throws IOException {
        if (amount == -1) {
            out.right(NONE, width);
        } else {
            out.fixed(amount, 0, width);
        }
        out.character(' ');
    }

    /**
     * Writes the number: that of a frame for pages, that of the request for asynchronous requests.
     */
    private void number(Event event) throws IOException {
        boolean page = event.kind() == Event.Kind.PAGE;
        if (!page && event.number() == 0) {
            out.left(NONE, NUMBER);
        } else {
            String number = Long.toUnsignedString(event.number());
            out.character(page ? 'f' : '#').left(number, NUMBER - 1);
        }
        out.character(' ');
    }

    private static boolean isAsked(Event event) {
        return event.requested() > 0 || isTransfer(event);
    }

    private static boolean isDelivered(Event event) {
        return switch (event.kind()) {
            case CALL -> isTransfer(event) && !event.operation().isAsynchronous();
            case END -> isTransfer(event);
            case PAGE ->
                    switch (event.page()) {
                        case ARRIVED, WRITTEN -> true;
                        default -> event.delivered() > 0;
                    };
            case DROPPED -> false;
        };
    }

    private static boolean isTransfer(Event event) {
        TraceOperation operation = event.operation();
        return operation != null && operation.isTransfer();
    }

    @Override
    public void close() throws IOException {
        decisionsUntil(Long.MAX_VALUE);
        for (String line : FileFacts.missing(header, losses.get())) {
            comment(line);
        }
        out.flush();
    }
}
