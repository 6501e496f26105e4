package io.mio.stats;

import java.io.FileInputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * The first lines of a stats file (reference 4.1).
 *
 * @param date when the file was begun
 * @param host name of the machine
 * @param engine how page requests are done, for example {@code sync}
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

    private static volatile boolean zonesRead;

    /** The header of this process, now. */
    public static StatsHeader now(
            String engine,
            String stats,
            String debug,
            String files,
            String defaults,
            List<String> keywords) {
        return new StatsHeader(
                ZonedDateTime.now(zone()),
                ProcessFacts.host(),
                engine,
                ProcessFacts.program(),
                "mio-core "
                        + MioVersion.NUMBER
                        + "  Linux "
                        + System.getProperty("sun.arch.data.model", "64")
                        + " bit addressing built "
                        + built(MioVersion.BUILT),
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
        out.append("Program=").append(LineText.of(program)).append('\n');
        out.append("MIO library ").append(library).append('\n');
        out.append("MIO_INSTALL_PATH=\n");
        // Rules may stand on several lines.
        out.append("MIO_STATS       =").append(LineText.of(stats)).append('\n');
        out.append("MIO_DEBUG       =").append(LineText.of(debug)).append('\n');
        out.append("MIO_FILES       =").append(LineText.of(files)).append('\n');
        out.append("MIO_DEFAULTS    =").append(LineText.of(defaults)).append('\n');
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

    /** Formats a time as C's {@code ctime} does: {@code Thu May 26 17:32:22 2005}. */
    private static String ctime(ZonedDateTime at) {
        String day = DAYS[at.getDayOfWeek().ordinal()];
        String month = MONTHS[at.getMonthValue() - 1];
        return new ReportText()
                .text(day + " " + month + " ")
                .right(at.getDayOfMonth(), 2)
                .text(" " + clock(at) + " ")
                .number(at.getYear())
                .toString();
    }

    /**
     * Returns the program's time zone. UTC if the program has set one that {@link ZoneId} cannot
     * express, because no report is worth an exception in the program. UTC, too, while no
     * descriptor is left and the JVM has not read its table of zones yet: it tries once, and then
     * the program would have none.
     */
    static ZoneId zone() {
        try {
            if (!zonesRead) {
                new FileInputStream("/dev/null").close();
            }
            ZoneId zone = ZoneId.systemDefault();
            zonesRead = true;
            return zone;
        } catch (DateTimeException | IOException e) {
            return ZoneOffset.UTC;
        }
    }

    /** {@code 2005-04-19T15:07:35Z} as {@code Apr 19 2005 15:07:35}; cheaper than a parser. */
    private static String built(String instant) {
        String month = MONTHS[Integer.parseInt(instant.substring(5, 7)) - 1];
        int day = Integer.parseInt(instant.substring(8, 10));
        return month + " " + day + " " + instant.substring(0, 4) + " " + instant.substring(11, 19);
    }

    static String clock(ZonedDateTime at) {
        return two(at.getHour()) + ":" + two(at.getMinute()) + ":" + two(at.getSecond());
    }

    private static String two(int value) {
        return value < 10 ? "0" + value : Integer.toString(value);
    }
}
