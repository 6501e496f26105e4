package io.mio.stats;

import java.nio.file.FileSystem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Directs the reports of one file system. A block names its target; {@code mioout} is the file of
 * MIO_STATS. If that is not set the block is dropped: MIO writes nothing that nobody asked for.
 */
public final class StatsOutput {
    /** Target that stands for the file of MIO_STATS (reference 3.2). */
    public static final String MIOOUT = "mioout";

    private final FileSystem platform;
    private final String stats;
    private final boolean timestamps;
    private final Supplier<StatsHeader> header;

    /**
     * Makes the outputs of one file system.
     *
     * @param platform file system of the machine itself, under whatever door
     * @param stats text of MIO_STATS, empty if not set
     * @param timestamps whether a time line comes before each entry (MIO_DEBUG=TIMESTAMP)
     * @param header made when a file is begun
     */
    public StatsOutput(
            FileSystem platform, String stats, boolean timestamps, Supplier<StatsHeader> header) {
        this.platform = platform;
        this.stats = stats;
        this.timestamps = timestamps;
        this.header = header;
    }

    /** A block and the target it goes to. */
    public record Entry(String target, StatsBlock block) {}

    /** Writes debug lines, each ended, to the file of MIO_STATS. */
    public void debug(String lines, boolean opening) {
        StatsFile file = file(MIOOUT);
        if (file == null) {
            return;
        }
        Instant now = Instant.now();
        if (file.isJson()) {
            String json = StatsHeader.stampedJson("debug", stamp(now)).put("text", lines) + "\n";
            file.write(begin(file, now), opening, json);
        } else {
            String entry = preamble(now) + lines + (opening ? StatsFile.SEPARATOR : "");
            file.write(begin(file, now), opening, entry);
        }
    }

    /** Writes the blocks of one file in the order given, for each target in one piece. */
    public void write(List<Entry> entries) {
        Map<StatsFile, List<StatsBlock>> byFile = new LinkedHashMap<>();
        for (Entry entry : entries) {
            StatsFile file = file(entry.target());
            if (file != null) {
                byFile.computeIfAbsent(file, any -> new ArrayList<>()).add(entry.block());
            }
        }
        Instant now = Instant.now();
        for (Map.Entry<StatsFile, List<StatsBlock>> one : byFile.entrySet()) {
            StatsFile file = one.getKey();
            StringBuilder text = new StringBuilder(1024);
            for (StatsBlock block : one.getValue()) {
                if (file.isJson()) {
                    text.append(json(block, stamp(now))).append('\n');
                } else {
                    text.append(preamble(now)).append(block.classic());
                }
            }
            if (!file.isJson()) {
                text.append(StatsFile.SEPARATOR);
            }
            file.write(begin(file, now), false, text.toString());
        }
    }

    /**
     * Writes what happened to one call of a recov layer, in one piece. If that cannot be done now,
     * because the disk without space for the call is also that of the reports, it is written with
     * the next entry.
     *
     * @param target stats file, {@link #MIOOUT}, or null: not written
     */
    public void recovered(String target, List<RecovMessage> messages) {
        StatsFile file = target == null || messages.isEmpty() ? null : file(target);
        if (file == null) {
            return;
        }
        Instant now = Instant.now();
        StringBuilder text = new StringBuilder(256);
        if (!file.isJson()) {
            text.append('\n')
                    .append(StatsHeader.clock(now.atZone(StatsHeader.zone())))
                    .append('\n');
        }
        for (RecovMessage message : messages) {
            text.append(file.isJson() ? message.json(stamp(now)) + "\n" : message.classic());
        }
        file.note(begin(file, now), text.toString());
    }

    /** Returns one block as a JSON object on one line; format in docs/format/stats.md. */
    private static String json(StatsBlock block, String stamp) {
        // One branch for each block that StatsBlock permits.
        if (block instanceof TraceSnapshot trace) {
            JsonText json = begin("trace", stamp, trace.event());
            TraceJson.write(json, trace);
            return json.toString();
        }
        if (block instanceof AutoSnapshot auto) {
            JsonText json = begin("auto", stamp, auto.event());
            AutoReport.write(json, auto);
            return json.toString();
        }
        PfSnapshot pf = (PfSnapshot) block;
        JsonText json = begin("pf", stamp, pf.event());
        PfJson.write(json, pf);
        return json.toString();
    }

    private static JsonText begin(String type, String stamp, TraceSnapshot.Event event) {
        return StatsHeader.stampedJson(type, stamp).put("event", event.label());
    }

    /** False if everything for this target is dropped. */
    boolean hasFile(String target) {
        return !text(target).isBlank();
    }

    private StatsFile file(String target) {
        if (!hasFile(target)) {
            return null;
        }
        StatsFile file = StatsFile.of(platform, text(target));
        return target.equals(MIOOUT) ? file.common() : file;
    }

    private String text(String target) {
        return target.equals(MIOOUT) ? stats : target;
    }

    private Supplier<String> begin(StatsFile file, Instant now) {
        return () -> file.isJson() ? header.get().json(stamp(now)) + "\n" : header.get().classic();
    }

    private String preamble(Instant now) {
        return timestamps ? "\n" + StatsHeader.clock(now.atZone(StatsHeader.zone())) + "\n" : "\n";
    }

    /** Returns ISO-8601 in UTC, always with milliseconds: {@code 2000-02-29T12:34:56.000Z}. */
    static String stamp(Instant now) {
        String text = now.truncatedTo(ChronoUnit.MILLIS).toString();
        // The platform leaves the fraction out for a full second.
        return text.indexOf('.') < 0 ? text.replace("Z", ".000Z") : text;
    }
}
