package io.mio.cli;

import io.mio.cli.ClassicReport.Header;
import io.mio.cli.ClassicReport.Sink;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a report in the original's text form line by line, so that a report of any length needs the
 * memory of one block only. Source: docs/format/stats.md.
 *
 * <p>The beginning of a line says what the line is. A block begins with its title, goes on with
 * indented lines, and ends at the first line that is not indented. The title of a pf block may have
 * the text of {@code tag=} in front. A line is such a title only if the next line begins with the
 * same text and is the line on pages. The same goes for pf/auto, where the next line is the one on
 * requests.
 */
public final class ClassicReader {
    private static final String BEGIN = "MIO statistics file :";
    private static final String LIBRARY = "MIO library ";
    private static final String HOST = "hostname=";
    private static final String RECOV = "recov : ";

    /** Most lines of a header. A header has ten lines and one for each keyword. */
    private static final int HEADER_LINES_MAX = 64;

    private static final Pattern PF_TITLE =
            Pattern.compile("(.*?)pf (close|exit|inter) for (.*)", Pattern.DOTALL);

    private static final Pattern AUTO_TITLE =
            Pattern.compile("(.*?)auto (close|exit|inter) for (.*)", Pattern.DOTALL);

    private final Sink sink;

    /** What the lines of the header said so far; null outside a header. */
    private Map<String, String> header;

    private int headerLines;
    private ClassicTraceBlock trace;
    private PfBlock.Parser pf;

    private AutoBlock.Parser auto;

    /** The previous line, if it can be the title of a pf block; else null. */
    private Matcher title;

    /** The previous line, if it can be the title of a pf/auto block; else null. */
    private Matcher autoTitle;

    public ClassicReader(Sink sink) {
        this.sink = sink;
    }

    /** Returns whether a report in this form, or a block of one, can begin with the line. */
    public static boolean mayBegin(String line) {
        return line.startsWith(BEGIN)
                || line.startsWith(ClassicTraceBlock.LABEL)
                        && line.contains(ClassicTraceBlock.ARROW)
                || line.startsWith(RECOV)
                || line.startsWith("==")
                || matched(PF_TITLE, line) != null
                || matched(AUTO_TITLE, line) != null;
    }

    /** Takes the next line, without its line end. */
    public void line(String line) {
        if (autoTitle != null && AutoBlock.Parser.begins(autoTitle.group(1), line)) {
            auto = new AutoBlock.Parser(autoTitle);
            title = null;
        }
        autoTitle = null;
        if (title != null) {
            Matcher candidate = title;
            title = null;
            if (PfBlock.Parser.begins(candidate.group(1), line)) {
                pf = new PfBlock.Parser(candidate.group(1), candidate.group(2), candidate.group(3));
                pf.take(line);
                return;
            }
            if (candidate.group(1).isEmpty()) {
                sink.mistake("'" + candidate.group() + "' is followed by no line on its pages");
            }
        }
        if (pf != null && pf.isOwn(line)) {
            pf.take(line);
        } else if (auto != null && auto.isOwn(line)) {
            auto.take(line);
        } else if (trace != null && line.startsWith(" ")) {
            trace.take(line);
        } else if (header != null && isOfHeader(line)) {
            headerLine(line);
        } else {
            endOfBlock();
            begin(line);
        }
    }

    /** Ends the report: there are no more lines. */
    public void end() {
        if (title != null && title.group(1).isEmpty()) {
            sink.mistake("'" + title.group() + "' has no lines");
        }
        title = null;
        endOfBlock();
    }

    private void begin(String line) {
        if (line.startsWith(ClassicTraceBlock.LABEL) && line.contains(ClassicTraceBlock.ARROW)) {
            try {
                trace = new ClassicTraceBlock(line);
            } catch (IllegalArgumentException e) {
                sink.mistake(e.getMessage());
            }
        } else if (line.startsWith(BEGIN)) {
            header = new LinkedHashMap<>();
            headerLines = 0;
            header.put(BEGIN, line.substring(BEGIN.length()).trim());
            sink.began();
        } else if (line.startsWith(RECOV)) {
            recov(line.substring(RECOV.length()));
        } else {
            title = line.contains("pf ") ? matched(PF_TITLE, line) : null;
            autoTitle = line.contains("auto ") ? matched(AUTO_TITLE, line) : null;
        }
    }

    private static Matcher matched(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? matcher : null;
    }

    private boolean isOfHeader(String line) {
        return headerLines < HEADER_LINES_MAX
                && !line.startsWith(ClassicTraceBlock.LABEL)
                && (line.indexOf('=') > 0 && !line.startsWith("==") || line.startsWith(LIBRARY));
    }

    private void headerLine(String line) {
        headerLines++;
        if (line.startsWith(HOST)) {
            int with = line.lastIndexOf("  : with ");
            header.put("hostname", line.substring(HOST.length(), with < 0 ? line.length() : with));
            header.put("engine", with < 0 ? "" : line.substring(with + 9));
        } else if (line.startsWith(LIBRARY)) {
            header.put("library", line.substring(LIBRARY.length()));
        } else {
            int equals = line.indexOf('=');
            header.putIfAbsent(line.substring(0, equals).trim(), line.substring(equals + 1));
        }
    }

    private void recov(String text) {
        if (text.startsWith("failure")) {
            sink.recov(null, true);
            return;
        }
        // The command may contain any text, so search from the end.
        int errno = text.lastIndexOf(" errno=");
        int file = errno < 0 ? -1 : text.lastIndexOf(" file=", errno);
        if (file >= 0) {
            sink.recov(text.substring(file + 6, errno), false);
        }
    }

    private void endOfBlock() {
        try {
            if (header != null) {
                sink.header(new Header(header));
            }
            if (trace != null) {
                sink.block(trace.block());
            }
            if (pf != null) {
                sink.pfBlock(pf.block());
            }
            if (auto != null) {
                sink.autoBlock(auto.block());
            }
        } catch (IllegalArgumentException e) {
            sink.mistake(e.getMessage());
        }
        header = null;
        trace = null;
        pf = null;
        auto = null;
    }
}
