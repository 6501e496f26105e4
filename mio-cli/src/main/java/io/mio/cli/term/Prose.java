package io.mio.cli.term;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines. */
public final class Prose {
    private Prose() {}

    /**
     * Returns the text in lines, broken between words; a longer word has a line of its own.
     *
     * @param indent what the first line begins with; the others have as many blanks
     * @param columnsMax columns of a line
     */
    public static List<String> lines(String indent, String text, int columnsMax) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(indent);
        boolean empty = true;
        for (String word : text.split(" ")) {
            if (!empty
                    && SafeText.columns(line.toString()) + 1 + SafeText.columns(word)
                            > columnsMax) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent.length()));
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
        return lines;
    }
}
