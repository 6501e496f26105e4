package io.mio.cli.term;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;

/**
 * What standard output and standard error are connected with. The JVM cannot tell, so the launcher
 * does, by system properties.
 *
 * @param outIsTerminal whether standard output is a terminal
 * @param errIsTerminal whether standard error is one: progress and hints may be shown
 * @param columns width of the terminal; {@link #WIDE} where there is none or its width is not known
 * @param colours whether escape sequences may be written to standard output
 * @param utf8 whether characters beyond ASCII can be shown
 */
public record Terminal(
        boolean outIsTerminal, boolean errIsTerminal, int columns, boolean colours, boolean utf8) {
    /** Set by the launcher: true or false. */
    public static final String OUT_PROPERTY = "mio.cli.out.terminal";

    /** Set by the launcher: true or false. */
    public static final String ERR_PROPERTY = "mio.cli.terminal";

    /** Set by the launcher: columns of the terminal, if they are known. */
    public static final String COLUMNS_PROPERTY = "mio.cli.columns";

    /** Width at which no line is cut: the reader of a pipe or file wants all of it. */
    public static final int WIDE = 10_000;

    private static final int COLUMNS_MIN = 40;
    private static final int COLUMNS_DEFAULT = 100;

    /** For files and pipes: nothing is cut or coloured. */
    public static final Terminal NONE = new Terminal(false, false, WIDE, false, true);

    /**
     * Returns the terminal of this process, by the launcher's properties, {@code COLUMNS}, {@code
     * NO_COLOR}, {@code TERM} and the locale.
     */
    public static Terminal ofProcess() {
        return of(System.getenv(), System.getProperties());
    }

    static Terminal of(Map<String, String> environment, Map<?, ?> properties) {
        boolean out = "true".equals(properties.get(OUT_PROPERTY));
        boolean err = "true".equals(properties.get(ERR_PROPERTY));
        boolean dumb = "dumb".equals(environment.getOrDefault("TERM", "dumb"));
        String noColour = environment.getOrDefault("NO_COLOR", "");
        return new Terminal(
                out,
                err,
                out ? columns(environment, properties) : WIDE,
                out && !dumb && noColour.isEmpty(),
                charset(properties).startsWith("utf"));
    }

    private static int columns(Map<String, String> environment, Map<?, ?> properties) {
        int columns = number(environment.get("COLUMNS"));
        if (columns <= 0) {
            columns = number((String) properties.get(COLUMNS_PROPERTY));
        }
        return columns <= 0 ? COLUMNS_DEFAULT : Math.max(COLUMNS_MIN, columns);
    }

    private static int number(String text) {
        try {
            return text == null ? 0 : Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String charset(Map<?, ?> properties) {
        Object name = properties.get("native.encoding");
        return (name == null ? Charset.defaultCharset().name() : name.toString())
                .toLowerCase(Locale.ROOT);
    }

    /** Returns one with another width, for {@code --width} and resized terminals. */
    public Terminal withColumns(int columns) {
        return new Terminal(outIsTerminal, errIsTerminal, columns, colours, utf8);
    }

    /**
     * Returns the text in the style, or as it is where there are no colours. The text must be safe
     * already.
     */
    public String styled(Style style, String text) {
        if (!colours || style.sgr().isEmpty() || text.isEmpty()) {
            return text;
        }
        return "\033[" + style.sgr() + "m" + text + "\033[0m";
    }
}
