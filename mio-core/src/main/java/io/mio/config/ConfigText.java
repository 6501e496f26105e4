package io.mio.config;

/** Reads a configuration text from left to right. Positions are 0-based, columns 1-based. */
final class ConfigText {
    private final String origin;
    private final String text;
    private int position;

    ConfigText(String origin, String text) {
        this.origin = origin;
        this.text = text;
    }

    int position() {
        return position;
    }

    boolean atEnd() {
        return position == text.length();
    }

    /** The next character, or 0 at the end. */
    char peek() {
        return atEnd() ? 0 : text.charAt(position);
    }

    void skipBlanks() {
        while (!atEnd() && isBlank(peek())) {
            position++;
        }
    }

    /** Takes the next character if it is {@code c}. */
    boolean take(char c) {
        if (atEnd() || peek() != c) {
            return false;
        }
        position++;
        return true;
    }

    /** Takes what stands before the next blank, one of {@code stops}, or the end; may be "". */
    String word(String stops) {
        int start = position;
        while (!atEnd() && !isBlank(peek()) && stops.indexOf(peek()) < 0) {
            position++;
        }
        return text.substring(start, position);
    }

    /**
     * Takes a text in braces, which may hold further pairs of braces; returns what is inside the
     * outer pair.
     *
     * @throws ConfigException if the closing brace is missing
     */
    String braced() {
        int open = position;
        int depth = 0;
        do {
            if (atEnd()) {
                throw error(open, "'{' has no '}'; add one");
            }
            char c = text.charAt(position++);
            if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth--;
            }
        } while (depth > 0);
        return text.substring(open + 1, position - 1);
    }

    TextPlace place(int at) {
        return new TextPlace(origin, text, at + 1);
    }

    ConfigException error(int at, String problem) {
        return place(at).error(problem);
    }

    static boolean isBlank(char c) {
        return c <= ' ';
    }
}
