package io.mio.pf;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether the time of a file's last change tells it from later changes. Two changes within one tick
 * of the kernel's clock have the same time, and so have changes within a second or two where the
 * file system keeps no finer times. Since Linux 6.13 some file systems give each change that
 * follows a look a time of its own. Twin of {@code pf_stamp.c}.
 */
final class ChangeStamp {
    /** No file system has coarser times than this. */
    private static final long COARSEST_NANOS = 2_000_000_000L;

    /**
     * File systems that keep nanoseconds have no coarser times than this: some ticks of the
     * kernel's clock, of 10 ms each.
     */
    private static final long TICKS_NANOS = 50_000_000L;

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int FINE_SINCE = release(6, 13);
    private static final Set<String> FINE = Set.of("btrfs", "ext4", "tmpfs", "xfs");
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,3})\\.(\\d{1,3}).*");

    private static final boolean KERNEL_IS_FINE = isFine(kernel());

    private ChangeStamp() {}

    private static String kernel() {
        try {
            return System.getProperty("os.version", "");
        } catch (SecurityException e) {
            return "";
        }
    }

    /** Like {@link #isSure(String, String, long, long)}, on this kernel and now. */
    static boolean isSure(String type, long changedNanos) {
        return isSure(KERNEL_IS_FINE, type, changedNanos, now());
    }

    /**
     * Whether the write that has set this time is over, as far as can be told: the kernel sets the
     * time before the bytes are there. A longer write that still goes on is not recognised.
     */
    static boolean isOver(String type, long changedNanos) {
        return isOver(type, changedNanos, now());
    }

    /** The same at a given time. */
    static boolean isOver(String type, long changedNanos, long nowNanos) {
        return isSure(false, type, changedNanos, nowNanos);
    }

    private static long now() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    /**
     * Whether the next change of the file is sure to have another time.
     *
     * @param kernel release of Linux, as {@code os.version} has it
     * @param type of the file system, as the table of mounts has it
     * @param changedNanos time of the last change, ns since 1970, which somebody has just looked at
     * @param nowNanos time now, ns since 1970
     */
    static boolean isSure(String kernel, String type, long changedNanos, long nowNanos) {
        return isSure(isFine(kernel), type, changedNanos, nowNanos);
    }

    private static boolean isSure(boolean fine, String type, long changedNanos, long nowNanos) {
        if (nowNanos - changedNanos >= COARSEST_NANOS) {
            return true;
        }
        // File systems without finer times keep whole seconds.
        return FINE.contains(type)
                && changedNanos % SECOND_NANOS != 0
                && (fine || nowNanos - changedNanos >= TICKS_NANOS);
    }

    private static boolean isFine(String kernel) {
        Matcher numbers = RELEASE.matcher(kernel);
        return numbers.matches() && release(number(numbers, 1), number(numbers, 2)) >= FINE_SINCE;
    }

    private static int number(Matcher numbers, int group) {
        return Integer.parseInt(numbers.group(group));
    }

    private static int release(int major, int minor) {
        return major * 1000 + minor;
    }
}
