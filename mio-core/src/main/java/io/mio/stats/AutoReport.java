package io.mio.stats;

import io.mio.stats.AutoSnapshot.Decision;
import java.util.ArrayList;
import java.util.List;

/**
 * The block of {@code pf/auto}, as text and as JSON; both are specified in docs/format/stats.md.
 */
final class AutoReport {
    // Widths of columns.
    private static final int SECONDS = 12;
    private static final int WHAT = 8;

    private AutoReport() {}

    static String classic(AutoSnapshot auto) {
        String tag = LineText.of(auto.tag());
        ReportText out = new ReportText();
        out.text(tag).text("auto ").text(auto.event().label()).text(" for ");
        out.text(LineText.of(auto.file())).text("\n");
        out.text(tag).text("   ").number(auto.looks()).text(" requests looked at : now ");
        out.text(auto.state()).text("\n");
        out.text(tag).text("   ").number(auto.hints()).text(" hints of ");
        out.number(auto.unit().whole(auto.hintBytes())).text(" ").text(auto.unit().label());
        out.text(" in all : ").number(auto.cached()).text(" times in the kernel's cache already\n");
        for (Decision one : auto.decisions()) {
            out.text(tag).seconds(one.nanos(), SECONDS).text("  ").left(one.what(), WHAT);
            out.text("  ").text(LineText.of(one.reason())).text("\n");
        }
        if (auto.moreDecisions() > 0) {
            out.text(tag).text("   ").number(auto.moreDecisions()).text(" more decisions\n");
        }
        return out.toString();
    }

    static void write(JsonText json, AutoSnapshot auto) {
        List<JsonText> decisions = new ArrayList<>();
        for (Decision one : auto.decisions()) {
            decisions.add(
                    new JsonText()
                            .put("ns", one.nanos())
                            .put("what", one.what())
                            .put("reason", one.reason()));
        }
        json.put("file", auto.file())
                .put("unit", auto.unit().label())
                .put("tag", auto.tag())
                .put("opened_ns", auto.openedNanos())
                .put("now_ns", auto.nowNanos())
                .put("state", auto.state())
                .put("looks", auto.looks())
                .put("hints", auto.hints())
                .put("hint_bytes", auto.hintBytes())
                .put("cached", auto.cached())
                .put("decisions", decisions)
                .put("more_decisions", auto.moreDecisions());
    }
}
