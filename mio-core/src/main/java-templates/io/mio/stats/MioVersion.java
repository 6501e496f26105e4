package io.mio.stats;

/** What was built, and when: filled in by the build. */
public final class MioVersion {
    /** Version of this library, for example {@code 0.1.0}. */
    public static final String NUMBER = "${project.version}";

    /** Instant of the build, ISO-8601 in UTC. Fixed by the sources, so that builds are reproducible. */
    public static final String BUILT = "${project.build.outputTimestamp}";

    private MioVersion() {}
}
