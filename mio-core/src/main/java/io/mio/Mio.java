package io.mio;

import io.mio.jmx.BeanWatch;
import io.mio.stats.MioVersion;
import io.mio.stats.OpenReports;
import io.mio.stats.StatsBlock;
import java.util.List;

/**
 * What a program can ask MIO while it runs. Everything else happens through {@code java.nio.file},
 * by {@code mio:} URIs or as the default provider.
 */
public final class Mio {
    private Mio() {}

    /** Version of this library, for example {@code 0.1.0}. */
    public static String version() {
        return MioVersion.NUMBER;
    }

    /**
     * Writes an intermediate report of every open file that a rule matched, each to the file its
     * layers name. The counters go on.
     */
    public static void report() {
        OpenReports.writeAll();
    }

    /**
     * Registers the management bean {@code io.mio:type=Mio} (see {@link MioMXBean}) in the
     * platform's MBean server, which is made if it is not there. Without this call the bean is
     * registered when files are used and the server is there.
     *
     * @throws IllegalStateException if the JVM has no management or its server refuses
     */
    public static void registerMBean() {
        BeanWatch.register();
    }

    /** What the layers of all open files have counted so far, lowest layer of a file first. */
    public static List<StatsBlock> snapshots() {
        return OpenReports.snapshots();
    }
}
