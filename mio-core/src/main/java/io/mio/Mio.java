package io.mio;

import io.mio.jmx.BeanWatch;
import io.mio.stats.MioVersion;
import io.mio.stats.OpenReports;
import io.mio.stats.StatsBlock;
import java.util.List;

/**
 * What a program can ask MIO while it runs. Everything else is done through {@code java.nio.file},
 * with {@code mio:} URIs or with MIO as the default provider.
 */
public final class Mio {
    private Mio() {}

    /** Version of this library, for example {@code 0.1.0}. */
    public static String version() {
        return MioVersion.NUMBER;
    }

    /**
     * Writes an intermediate report of every open file that a rule matched, each to the stats file
     * that its layers name. The counters keep their values and go on counting.
     */
    public static void report() {
        OpenReports.writeAll();
    }

    /**
     * Registers the management bean {@code io.mio:type=Mio} (see {@link MioMXBean}) in the
     * platform's MBean server, and makes the server if it does not exist. Without this call the
     * bean is registered while files are used, once the server exists.
     *
     * @throws IllegalStateException if the JVM has no management or its server refuses
     */
    public static void registerMBean() {
        BeanWatch.register();
    }

    /** Returns what the layers of all open files have counted so far, lowest layer first. */
    public static List<StatsBlock> snapshots() {
        return OpenReports.snapshots();
    }
}
