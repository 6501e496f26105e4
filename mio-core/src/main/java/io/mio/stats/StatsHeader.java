package io.mio.stats;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;

/**
 * The first lines of a stats file (reference 4.1).
 *
 * @param date when the file was begun
 * @param host name of the machine
 * @param engine how I/O is done, for example {@code sync}
 * @param program what runs
 * @param library name, version, addressing and build date of this library
 * @param stats text of MIO_STATS
 * @param debug text of MIO_DEBUG
 * @param files text of MIO_FILES
 * @param defaults text of MIO_DEFAULTS
 * @param keywords debug keywords that are on and have a line
 */
public record StatsHeader(
        ZonedDateTime date,
        String host,
        String engine,
        String program,
        String library,
        String stats,
        String debug,
        String files,
        String defaults,
        List<String> keywords) {
    private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    private static final String[] MONTHS = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
    };

    /** The header of this process, now. */
    public static StatsHeader now(
            String engine,
            String stats,
            String debug,
            String files,
            String defaults,
            List<String> keywords) {
        ZonedDateTime built = Instant.parse(MioVersion.BUILT).atZone(ZoneOffset.UTC);
        String bits = System.getProperty("sun.arch.data.model", "64");
        return new StatsHeader(
                ZonedDateTime.now(ZoneId.systemDefault()),
                ProcessFacts.host(),
                engine,
                ProcessFacts.program(),
                String.format(
                        Locale.ROOT,
                        "mio-core %s  Linux %s bit addressing built %s",
                        MioVersion.NUMBER,
                        bits,
                        built(built)),
                stats,
                debug,
                files,
                defaults,
                keywords);
    }

    /** The classic text, lines ended, up to the debug keywords. */
    public String classic() {
        StringBuilder out = new StringBuilder(512);
        out.append("MIO statistics file : ").append(ctime(date)).append('\n');
        out.append("hostname=").append(host).append("  : with ").append(engine).append('\n');
        out.append("Program=").append(program).append('\n');
        out.append("MIO library ").append(library).append('\n');
        out.append("MIO_INSTALL_PATH=\n");
        out.append("MIO_STATS       =").append(stats).append('\n');
        out.append("MIO_DEBUG       =").append(debug).append('\n');
        out.append("MIO_FILES       =").append(files).append('\n');
        out.append("MIO_DEFAULTS    =").append(defaults).append('\n');
        out.append('\n');
        for (String keyword : keywords) {
            out.append("MIO_DEBUG ").append(keyword).append(" =T\n");
        }
        return out.toString();
    }

    String json(String stamp) {
        return stampedJson("header", stamp)
                .put("host", host)
                .put("program", program)
                .put("library", library)
                .put("engine", engine)
                .put("MIO_STATS", stats)
                .put("MIO_DEBUG", debug)
                .put("MIO_FILES", files)
                .put("MIO_DEFAULTS", defaults)
                .toString();
    }

    static JsonText stampedJson(String type, String stamp) {
        return new JsonText()
                .put("type", type)
                .put("format", 1)
                .put("time", stamp)
                .put("pid", ProcessFacts.pid());
    }

    /** As C's {@code ctime} prints it: {@code Thu May 26 17:32:22 2005}. */
    private static String ctime(ZonedDateTime at) {
        return String.format(
                Locale.ROOT,
                "%s %s %2d %s %d",
                DAYS[at.getDayOfWeek().ordinal()],
                MONTHS[at.getMonthValue() - 1],
                at.getDayOfMonth(),
                clock(at),
                at.getYear());
    }

    private static String built(ZonedDateTime at) {
        return String.format(
                Locale.ROOT,
                "%s %d %d %s",
                MONTHS[at.getMonthValue() - 1],
                at.getDayOfMonth(),
                at.getYear(),
                clock(at));
    }

    static String clock(ZonedDateTime at) {
        return String.format(
                Locale.ROOT, "%02d:%02d:%02d", at.getHour(), at.getMinute(), at.getSecond());
    }
}
