package io.mio.cli.plot.html;

import io.mio.cli.plot.Level;
import io.mio.cli.plot.Loss;
import io.mio.cli.plot.PlotFile;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Series;
import io.mio.cli.plot.Shape;
import io.mio.cli.plot.Stage;
import io.mio.cli.plot.What;
import io.mio.cli.term.SafeText;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.PageOperation;
import io.mio.stats.MioVersion;
import io.mio.stats.TraceOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All of a page but its marks, for JSON. Text from outside is made safe to be shown. */
final class PageMeta {
    private PageMeta() {}

    static Map<String, Object> of(List<RunPlot> runs, PageOptions options, String title) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("version", MioVersion.NUMBER);
        all.put("title", title);
        all.put("theme", options.theme());
        all.put("layout", options.layout());
        all.put("filter", unchanged(options.filter()));
        all.put("shapes", Arrays.stream(Shape.values()).map(Enum::name).toList());
        all.put("whats", Arrays.stream(What.values()).map(PageMeta::what).toList());
        Map<String, String> stages = new LinkedHashMap<>();
        for (Stage stage : Stage.values()) {
            stages.put(stage.name(), stage.label());
        }
        all.put("stages", stages);
        all.put(
                "calls",
                Arrays.stream(TraceOperation.values()).map(TraceOperation::label).toList());
        Map<Integer, String> pages = new TreeMap<>();
        for (PageOperation operation : PageOperation.values()) {
            pages.put(operation.code(), operation.label());
        }
        all.put("pages", pages);
        all.put("runs", runs.stream().map(PageMeta::run).toList());
        return all;
    }

    private static Map<String, Object> what(What what) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("name", what.name());
        made.put("label", what.label());
        return made;
    }

    private static Map<String, Object> run(RunPlot run) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("label", SafeText.of(run.label()));
        made.put("source", unchanged(run.source()));
        made.put("header", header(run));
        // Files that were opened before the events file was made began before time zero.
        made.put("begin", Math.max(-Columns.MOST, Math.min(run.beginNanos(), Columns.MOST)));
        made.put("span", Columns.clamped(run.endNanos() - run.beginNanos()));
        made.put("events", Columns.clamped(run.events()));
        made.put("files", run.files().stream().map(PageMeta::file).toList());
        made.put("file_count", run.fileCount());
        Map<String, Object> busy = new LinkedHashMap<>();
        run.busyNanos().forEach((stage, nanos) -> busy.put(stage.name(), Columns.clamped(nanos)));
        made.put("busy", busy);
        made.put("series", run.series().stream().map(PageMeta::series).toList());
        made.put("levels", run.levels().stream().map(PageMeta::level).toList());
        made.put("latency_bin", run.latency().binNanos());
        made.put("sizes_bin", run.sizes().binNanos());
        made.put("latency_most", clamped(run.latency().largest()));
        made.put("sizes_most", clamped(run.sizes().largest()));
        List<Object> losses = new ArrayList<>();
        for (Loss loss : run.losses()) {
            long begin = run.beginNanos();
            losses.add(
                    List.of(
                            Columns.clamped(loss.startNanos() - begin),
                            Columns.clamped(loss.endNanos() - begin),
                            Columns.clamped(loss.events())));
        }
        made.put("losses", losses);
        made.put("dropped", Columns.clamped(run.unrecorded().events()));
        made.put("untimed", Columns.clamped(run.unrecorded().untimed()));
        made.put("sample", Columns.clamped(run.unrecorded().sample()));
        made.put("unread", !run.unread().isEmpty());
        made.put("notes", run.notes().stream().map(SafeText::of).toList());
        return made;
    }

    /** Returns text for a command that is copied: null unless it can be shown as it is. */
    private static String unchanged(String text) {
        return SafeText.of(text).equals(text) ? text : null;
    }

    private static Map<String, Object> header(RunPlot run) {
        EventHeader header = run.header();
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("program", SafeText.of(run.programs()));
        made.put("host", SafeText.of(header.host()));
        made.put("library", SafeText.of(header.library()));
        made.put("process", header.process());
        made.put("door", header.door() == EventFormat.JVM ? "JVM" : "native");
        made.put("realtime_ms", header.realtimeNanos() / 1_000_000);
        return made;
    }

    private static List<Long> clamped(List<Long> values) {
        return values.stream().map(Columns::clamped).toList();
    }

    private static Object series(Series series) {
        return List.of(series.file(), series.stage().name(), series.what().ordinal());
    }

    private static Object level(Level level) {
        return List.of(
                Columns.clamped(level.timeStepNanos()),
                Columns.clamped(level.offsetStepBytes()),
                level.marks().size());
    }

    private static Map<String, Object> file(PlotFile file) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("path", SafeText.of(file.path()));
        made.put("others", file.others());
        made.put("opens", Columns.clamped(file.opens()));
        made.put("size", Columns.clamped(file.sizeBytes()));
        made.put("touched_begin", Columns.clamped(file.touchedBegin()));
        made.put("touched_end", Columns.clamped(file.touchedEnd()));
        made.put("page", Columns.clamped(file.pageBytes()));
        Map<String, Object> totals = new LinkedHashMap<>();
        file.totals().forEach((stage, of) -> totals.put(stage.name(), of));
        made.put("totals", totals);
        return made;
    }
}
