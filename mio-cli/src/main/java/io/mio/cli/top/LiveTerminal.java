package io.mio.cli.top;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal while a screen is shown: no echo, keys without Enter, the alternate screen, no
 * cursor. {@link #close} puts everything back, and so does the end of the JVM by Ctrl-C or another
 * signal that can be caught. Any thread may draw and close; one thread reads keys.
 */
public final class LiveTerminal implements AutoCloseable {
    private static final File TTY = new File("/dev/tty");

    // Alternate screen, no cursor, no wrapping of lines.
    private static final String BEGIN = "\033[?1049h\033[?25l\033[?7l";
    private static final String END = "\033[?7h\033[?25h\033[?1049l";

    /** One key: an escape sequence, or a character. */
    private static final Pattern KEY =
            Pattern.compile("\033\\[[0-9;?]*[@-~]|\033O.|.", Pattern.DOTALL);

    private static final int STTY_SECONDS_MAX = 5;

    /** Keys that mean something. */
    public enum Key {
        QUIT,
        PROCESSES,
        FILES,
        DECISIONS,
        SORT,
        TOTALS,
        PAUSE,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN
    }

    private final String saved;
    private final InputStream in;
    private final OutputStream out;
    private final Charset charset;
    private final Thread hook = new Thread(this::restore, "mio-top-terminal");
    private String typed = "";
    private boolean closed;

    private LiveTerminal(String saved, Charset charset) throws IOException {
        this.saved = saved;
        this.charset = charset;
        this.in = new FileInputStream(TTY);
        this.out = new FileOutputStream(TTY);
    }

    /**
     * Takes the terminal.
     *
     * @param charset charset of the terminal
     * @return null where there is none that can be driven
     */
    public static LiveTerminal open(Charset charset) {
        LiveTerminal terminal = null;
        try {
            String saved = stty("-g");
            if (saved.isEmpty()) {
                return null;
            }
            terminal = new LiveTerminal(saved, charset);
            terminal.begin();
            return terminal;
        } catch (IOException e) {
            closeIfAny(terminal);
        } catch (InterruptedException e) {
            closeIfAny(terminal);
            Thread.currentThread().interrupt();
        }
        return null;
    }

    private static void closeIfAny(LiveTerminal terminal) {
        if (terminal != null) {
            terminal.close();
        }
    }

    private void begin() throws IOException, InterruptedException {
        // The hook comes first: from the next line on there is something to put back.
        Runtime.getRuntime().addShutdownHook(hook);
        // A read waits a tenth of a second for a key. Ctrl-Z would leave the shell with this
        // screen, so it is switched off.
        stty("-icanon", "-echo", "min", "0", "time", "1", "susp", "undef");
        write(BEGIN);
    }

    /** Returns lines and columns; 24 and 80 where they are not known. */
    public int[] size() throws InterruptedException {
        try {
            String[] parts = stty("size").split(" ");
            int lines = Integer.parseInt(parts[0]);
            int columns = Integer.parseInt(parts[1]);
            if (lines > 0 && columns > 0) {
                return new int[] {lines, columns};
            }
        } catch (IOException | RuntimeException e) {
            // The usual size is returned below.
        }
        return new int[] {24, 80};
    }

    /** Shows these lines from the top, written at once, so that nothing flickers. */
    public void draw(List<String> lines) throws IOException {
        StringBuilder frame = new StringBuilder("\033[H");
        for (int i = 0; i < lines.size(); i++) {
            // A line is cleared before it is written: behind a full line the cursor is on its last
            // character.
            frame.append(i > 0 ? "\r\n" : "").append("\033[K").append(lines.get(i));
        }
        write(frame.toString());
    }

    /**
     * Returns the next key that means something, or null if none comes within a tenth of a second.
     */
    public Key key() throws IOException {
        if (typed.isEmpty()) {
            byte[] bytes = new byte[64];
            int count = in.read(bytes);
            typed = new String(bytes, 0, Math.max(0, count), StandardCharsets.ISO_8859_1);
        }
        while (!typed.isEmpty()) {
            Matcher matcher = KEY.matcher(typed);
            String key = matcher.lookingAt() ? matcher.group() : typed;
            typed = typed.substring(key.length());
            Key meaning = meaning(key);
            if (meaning != null) {
                return meaning;
            }
        }
        return null;
    }

    static Key meaning(String key) {
        return switch (key) {
            case "q", "Q" -> Key.QUIT;
            case "p", "P" -> Key.PROCESSES;
            case "f", "F" -> Key.FILES;
            case "d", "D" -> Key.DECISIONS;
            case "s", "S" -> Key.SORT;
            case "t", "T" -> Key.TOTALS;
            case " " -> Key.PAUSE;
            case "\033[A", "\033OA", "k" -> Key.UP;
            case "\033[B", "\033OB", "j" -> Key.DOWN;
            case "\033[5~" -> Key.PAGE_UP;
            case "\033[6~" -> Key.PAGE_DOWN;
            default -> null;
        };
    }

    private synchronized void write(String text) throws IOException {
        if (!closed) {
            out.write(text.getBytes(charset));
            out.flush();
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending; the hook finds nothing left to do.
        }
    }

    private synchronized void restore() {
        if (closed) {
            return;
        }
        try {
            write(END);
            stty(saved);
        } catch (IOException e) {
            // The terminal is gone, and nothing is left to put back.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed = true;
        }
    }

    private static String stty(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectInput(TTY)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!process.waitFor(STTY_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("stty does not end");
            }
            return process.exitValue() == 0 ? output.trim() : "";
        } finally {
            process.destroy();
        }
    }
}
