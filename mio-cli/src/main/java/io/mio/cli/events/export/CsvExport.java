package io.mio.cli.events.export;

import io.mio.cli.events.ErrnoName;
import io.mio.cli.events.FileTexts;
import io.mio.cli.events.OperationSet;
import io.mio.cli.events.TextBuffer;
import io.mio.cli.term.SafeText;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Events as comma-separated values: RFC 4180, but lines end with LF as those of other tools here
 * do. A field that is not known, or does not apply, is empty.
 *
 * <p>Names are made harmless in a way that can be undone. A backslash, a semicolon and what a
 * terminal might obey become {@code \} and three octal digits, or {@code \}{@code u} and four
 * hexadecimal ones. Then a name that a spreadsheet would take for a formula, or that begins with an
 * apostrophe, gets an apostrophe in front, which spreadsheets take for the sign of a text. Quotes
 * would not help, as spreadsheets evaluate quoted fields as well.
 */
public final class CsvExport implements EventExport {
    static final String COLUMNS =
            "start_ns,duration_ns,process,thread,program,layer,place,above,below,file_id,file,"
                    + "operation,kind,offset_bytes,requested_bytes,delivered_bytes,failed,error,"
                    + "append,asynchronous,number";

    /** Characters that begin a formula, also as wide characters, which some spreadsheets accept. */
    private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'";

    private final TextBuffer out;
    private final String run;
    private final FileTexts<byte[]> files;
    private final Map<Long, byte[]> programs = new HashMap<>();

    /** Begins the output of a single file, with a line of headings. */
    public CsvExport(EventReader reader, OutputStream out) throws IOException {
        this(reader, out, 0, true);
    }

    /**
     * Begins the output of one of several files.
     *
     * @param run number of the file from 1, in a column of its own; 0 for none
     * @param first whether to write the line of headings
     */
    public CsvExport(EventReader reader, OutputStream out, int run, boolean first)
            throws IOException {
        this.out = new TextBuffer(out);
        this.run = run == 0 ? "" : run + ",";
        for (EventProcess process : reader.processes()) {
            programs.put(process.process(), (text(process.program()) + ',').getBytes(UTF_8));
        }
        files = new FileTexts<>(reader.files(), CsvExport::columns);
        if (first) {
            this.out.text(run == 0 ? "" : "run,").text(COLUMNS).character('\n');
        }
    }

    private static final java.nio.charset.Charset UTF_8 = StandardCharsets.UTF_8;

    private static final byte[] NO_PROGRAM = {','};

    /** Returns the columns of a file, with a comma behind the last one. */
    private static byte[] columns(EventFile file) {
        if (file == null) {
            return ",,,,,,".getBytes(UTF_8);
        }
        String text =
                String.join(
                        ",",
                        file.layer() == EventFormat.OF_TRACE ? "trace" : "pf",
                        Integer.toString(file.place()),
                        text(file.above()),
                        text(file.below()),
                        Integer.toUnsignedString(file.id()),
                        text(file.path()));
        return (text + ",").getBytes(UTF_8);
    }

    /** Returns a field of text, made harmless. */
    static String text(String name) {
        // Where lists are separated by semicolons, a new cell would begin behind one, with any
        // sign.
        String safe = SafeText.of(name.replace("\\", "\\134")).replace(";", "\\073");
        if (!name.isEmpty() && FORMULA.indexOf(name.charAt(0)) >= 0) {
            safe = "'" + safe;
        }
        boolean quote =
                safe.indexOf(',') >= 0
                        || safe.indexOf('"') >= 0
                        || safe.startsWith(" ")
                        || safe.endsWith(" ");
        return quote ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }

    @Override
    public void event(Event event) throws IOException {
        boolean lost = event.kind() == Event.Kind.DROPPED;
        out.text(run).number(event.startNanos()).character(',').number(event.durationNanos());
        out.character(',').number(event.process()).character(',');
        if (!lost) {
            out.number(event.thread());
        }
        out.character(',').bytes(programs.getOrDefault(event.process(), NO_PROGRAM));
        if (lost) {
            out.text(",,,,,,");
        } else {
            out.bytes(files.of(event.file()));
        }
        out.text(OperationSet.name(event)).character(',').text(kind(event)).character(',');
        known(event.offset()).known(event.requested());
        if (!lost) {
            out.number(event.delivered());
        }
        out.character(',').character(event.failed() ? '1' : '0').character(',');
        if (event.failed()) {
            out.text(ErrnoName.of(event));
        }
        out.character(',').character(event.append() ? '1' : '0');
        out.character(',').character(event.asynchronous() ? '1' : '0').character(',');
        if (hasNumber(event)) {
            out.text(Long.toUnsignedString(event.number()));
        }
        out.character('\n');
    }

    private CsvExport known(long number) throws IOException {
        if (number != -1) {
            out.number(number);
        }
        out.character(',');
        return this;
    }

    /**
     * Returns true for pages, which have the number of a frame, and for asynchronous requests,
     * whose number is not 0.
     */
    static boolean hasNumber(Event event) {
        return event.kind() == Event.Kind.PAGE || event.number() != 0;
    }

    static String kind(Event event) {
        return switch (event.kind()) {
            case CALL -> "call";
            case END -> "end";
            case PAGE -> "page";
            case DROPPED -> "lost";
        };
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
