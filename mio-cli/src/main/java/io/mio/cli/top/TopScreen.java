package io.mio.cli.top;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Terminal;
import io.mio.cli.top.View.Rows;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes lines of a tick: the same tick, view, size and zone give the same lines. */
public final class TopScreen {
    /** Lines that are not rows: two of totals, a blank one, the headings, the keys. */
    private static final int OTHER_LINES = 5;

    private static final String NO_DECISIONS =
            "No decisions: no open file is under pf/auto below a trace layer, or none is made yet.";

    /** Text for what is not known yet. */
    private static final String UNKNOWN = "-";

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final Terminal terminal;
    private final ZoneId zone;
    private final boolean chosen;

    /**
     * Makes a screen.
     *
     * @param chosen whether only some processes are shown, which the user has named
     */
    public TopScreen(Terminal terminal, ZoneId zone, boolean chosen) {
        this.terminal = terminal;
        this.zone = zone;
        this.chosen = chosen;
    }

    /** Returns how many rows of the table a screen of so many lines has room for; at least one. */
    public static int room(int screenLines) {
        return Math.max(1, screenLines - OTHER_LINES + (isLow(screenLines) ? 1 : 0));
    }

    /** Returns whether there is no room for a blank line. */
    private static boolean isLow(int screenLines) {
        return screenLines <= OTHER_LINES;
    }

    /** Returns the whole screen: at most so many lines, none wider than the terminal. */
    public List<String> screen(Tick tick, View view, int screenLines, double intervalSeconds) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.styled(Style.HEADING, fitted(title(tick, view, intervalSeconds), "  ")));
        lines.add(fitted(totals(tick, view), "  "));
        if (!isLow(screenLines)) {
            lines.add("");
        }
        List<String> decided = decided(tick, view);
        int count = rowCount(tick, view, decided);
        int from = Math.min(view.first(), Math.max(0, count - 1));
        int to = Math.min(count, from + room(screenLines));
        if (count == 0) {
            lines.add(SafeText.shorten(none(tick), terminal.columns()));
        } else {
            lines.addAll(rows(tick, view, decided, from, to));
        }
        while (lines.size() < screenLines - 1) {
            lines.add("");
        }
        lines.add(terminal.styled(Style.FAINT, fitted(keys(view, count, from, to), "  ")));
        return lines.subList(0, Math.min(lines.size(), Math.max(1, screenLines)));
    }

    /**
     * Returns how many rows there are for the view; with decisions, lines, as one may have several.
     */
    public int rowCount(Tick tick, View view) {
        return rowCount(tick, view, decided(tick, view));
    }

    private static int rowCount(Tick tick, View view, List<String> decided) {
        return switch (view.rows()) {
            case PROCESSES -> tick.processes().size();
            case FILES -> tick.files().size();
            case DECISIONS -> Math.max(0, decided.size() - 1);
        };
    }

    /** Returns the table of decisions if it is shown and there are some; else nothing. */
    private List<String> decided(Tick tick, View view) {
        return view.rows() == Rows.DECISIONS && !tick.decisions().isEmpty()
                ? DecisionTable.lines(tick.decisions(), terminal)
                : List.of();
    }

    /** Returns the headings and these rows. */
    private List<String> rows(Tick tick, View view, List<String> decided, int from, int to) {
        if (view.rows() != Rows.DECISIONS) {
            return TopTable.lines(tick, view, sorted(tick, view).subList(from, to), terminal);
        }
        List<String> lines = new ArrayList<>(decided.subList(0, 1));
        lines.addAll(decided.subList(1 + from, 1 + to));
        return lines;
    }

    private String none(Tick tick) {
        if (!tick.processes().isEmpty()) {
            return NO_DECISIONS;
        }
        return chosen ? "No process of --pid is under MIO any more." : "No program runs under MIO.";
    }

    /**
     * Returns the table alone with all rows, and, but for decisions, a row for all processes
     * together if there are several.
     */
    public List<String> table(Tick tick, View view) {
        if (tick.processes().isEmpty()) {
            return List.of(none(tick));
        }
        if (view.rows() == Rows.DECISIONS) {
            return tick.decisions().isEmpty() ? List.of(NO_DECISIONS) : decided(tick, view);
        }
        List<Row> rows = new ArrayList<>(sorted(tick, view));
        if (tick.processes().size() > 1) {
            rows.add(tick.total());
        }
        List<String> lines = new ArrayList<>(TopTable.lines(tick, view, rows, terminal));
        if (tick.unrecorded() > 0) {
            lines.add(unrecorded(tick));
        }
        return lines;
    }

    /** Returns the rows of processes or files in the order the user wants. */
    public static List<Row> sorted(Tick tick, View view) {
        List<Row> rows = view.rows() == Rows.FILES ? tick.files() : tick.processes();
        return rows.stream().sorted(view.sort().order(view.rates())).toList();
    }

    private List<String> title(Tick tick, View view, double intervalSeconds) {
        long killed = tick.killedCount();
        long running = tick.processes().size() - killed;
        List<String> parts = new ArrayList<>();
        parts.add("mio top");
        parts.add(clock(tick.time()));
        parts.add(running == 1 ? "1 process" : running + " processes");
        if (killed > 0) {
            parts.add(killed + " killed");
        }
        if (view.paused()) {
            parts.add("paused");
        }
        if (tick.unrecorded() > 0) {
            parts.add(unrecorded(tick));
        }
        parts.add(String.format(Locale.ROOT, "every %.1f s", intervalSeconds));
        return parts;
    }

    private static String unrecorded(Tick tick) {
        return Amounts.count(tick.unrecorded()) + " files not shown: no space for their counters";
    }

    private String clock(Instant time) {
        return CLOCK.format(time.atZone(zone));
    }

    private static List<String> totals(Tick tick, View view) {
        Row total = tick.total();
        Counters all = view.rates() ? total.growth() : total.totals();
        double seconds = view.rates() ? tick.seconds() : 0;
        return List.of(
                "read " + (all == null ? UNKNOWN : bytes(all.readBytes(), seconds)),
                "written " + (all == null ? UNKNOWN : bytes(all.writtenBytes(), seconds)),
                "calls " + (all == null ? UNKNOWN : count(all.calls(), seconds)),
                "hits " + (all == null ? UNKNOWN : Amounts.percent(all.hitShare())),
                "dirty " + Amounts.bytes(total.gauges().dirtyBytes()),
                "waits " + (all == null ? UNKNOWN : count(all.waits(), seconds)),
                "waiting " + total.gauges().threadsWaiting());
    }

    private static String bytes(long bytes, double seconds) {
        return seconds > 0 ? Amounts.rate(bytes / seconds) : Amounts.bytes(bytes);
    }

    private static String count(long count, double seconds) {
        return seconds > 0
                ? Amounts.count(Math.round(count / seconds)) + "/s"
                : Amounts.count(count);
    }

    private static List<String> keys(View view, int rowCount, int from, int to) {
        List<String> keys = new ArrayList<>();
        keys.add("q quit");
        keys.add(view.rows() == Rows.PROCESSES ? "f files" : "p processes");
        if (view.rows() == Rows.DECISIONS) {
            keys.add("f files");
        } else {
            keys.add("s sort: " + view.sort().label());
            keys.add(view.rates() ? "t totals" : "t rates");
        }
        keys.add(view.paused() ? "space go on" : "space pause");
        if (from > 0 || to < rowCount) {
            keys.add("arrows: " + (from + 1) + "-" + to + " of " + rowCount);
        }
        if (view.rows() != Rows.DECISIONS) {
            keys.add("d decisions");
        }
        return keys;
    }

    /** Returns as many parts from the left as there is room for. */
    private String fitted(List<String> parts, String gap) {
        StringBuilder line = new StringBuilder();
        for (String part : parts) {
            int more = SafeText.columns(part) + (line.length() == 0 ? 0 : gap.length());
            if (line.length() > 0 && line.length() + more > terminal.columns()) {
                break;
            }
            line.append(line.length() == 0 ? "" : gap).append(part);
        }
        return SafeText.shorten(line.toString(), terminal.columns());
    }
}
