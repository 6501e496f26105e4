package io.mio.cli.stats;

import io.mio.cli.term.Amounts;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was found in one input.
 *
 * @param name the name as given
 * @param headers configuration parts: processes
 * @param blocks blocks of trace and pf, and recov lines
 * @param mistakes lines and blocks that were left out
 * @param firstMistake what was wrong with the first one, and where; null without mistakes
 * @param failure why it could not be read, or not further; null if it was read to its end
 */
record InputReport(
        String name,
        long headers,
        long blocks,
        long mistakes,
        String firstMistake,
        String failure) {
    /** Returns true if something of the input is missing in the report. */
    boolean isDamaged() {
        return mistakes > 0 || failure != null;
    }

    /** Returns what is wrong at the first mistake, and how many more there are. */
    String mistakesInWords() {
        return name
                + ": "
                + firstMistake
                + (mistakes > 1 ? " (and " + Amounts.count(mistakes - 1) + " more)" : "")
                + "; left out";
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("headers", headers);
        json.put("blocks", blocks);
        json.put("mistakes", mistakes);
        if (firstMistake != null) {
            json.put("first_mistake", firstMistake);
        }
        if (failure != null) {
            json.put("failure", failure);
        }
        return json;
    }
}
