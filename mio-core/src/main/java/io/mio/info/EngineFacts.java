package io.mio.info;

import io.mio.info.Fact.Group;
import io.mio.info.Fact.Unit;
import java.util.Map;

/** Finds out how page requests are done on this machine, and why. */
final class EngineFacts {
    static final String URING = "io_uring";
    static final String THREADS = "threads";

    private static final int EPERM = 1;
    private static final int ENOMEM = 12;
    private static final int ENOSYS = 38;

    private static final String SYSCTL = "/proc/sys/kernel/io_uring_disabled";

    /** Values of {@code Seccomp:} in {@code /proc/self/status}. */
    private static final Map<String, String> SECCOMP =
            Map.of("0", "none", "1", "strict", "2", "filter");

    private EngineFacts() {}

    static void add(FactList facts, SystemFiles files, Helper helper) {
        String whyNot = whyNoRing(files, helper);
        Long disabled = files.number(SYSCTL);
        String seccomp = SECCOMP.get(seccomp(files));
        facts.group(Group.ENGINE)
                .text("engine", "engine", engine(whyNot), whyNot == null ? null : "no io_uring")
                .yesNo(URING, URING, helper.whyNot() == null ? whyNot == null : null, whyNot)
                .number(
                        "io_uring_disabled",
                        "sysctl kernel.io_uring_disabled",
                        Unit.COUNT,
                        disabled,
                        disabled == null ? "no such sysctl: Linux before 6.6, or hidden" : null)
                .text("seccomp", "seccomp of this process", seccomp)
                .text("native_helper", "native helper", helper.source(), helper.whyNot());
    }

    private static String seccomp(SystemFiles files) {
        return files.values("/proc/self/status").getOrDefault("Seccomp", "");
    }

    static String engine(String whyNoRing) {
        return whyNoRing == null ? URING : THREADS;
    }

    /** Note on a fact that only the helper can find out. */
    static String noHelper(Helper helper) {
        return "no native helper (" + helper.whyNot() + ")";
    }

    /** Returns null if a ring can be had; else the reason, and what to do. */
    static String whyNoRing(SystemFiles files, Helper helper) {
        if (helper.whyNot() != null) {
            return noHelper(helper);
        }
        int refusal = helper.ringRefusal();
        if (refusal == 0) {
            return null;
        }
        Long disabled = files.number(SYSCTL);
        boolean filtered = "2".equals(seccomp(files));
        String words = helper.errorText(refusal);
        if (refusal == EPERM && disabled != null && disabled == 2) {
            return "kernel.io_uring_disabled is 2, off for everybody; sysctl -w"
                    + " kernel.io_uring_disabled=0 allows it";
        }
        if (refusal == EPERM && disabled != null && disabled == 1) {
            return "kernel.io_uring_disabled is 1, for root and the group kernel.io_uring_group"
                    + " only; sysctl -w kernel.io_uring_disabled=0 allows it";
        }
        if ((refusal == EPERM || refusal == ENOSYS) && filtered) {
            return "a seccomp filter forbids it ("
                    + words
                    + "); the container's profile has to allow io_uring_setup, io_uring_enter and"
                    + " io_uring_register";
        }
        if (refusal == ENOSYS) {
            return "the kernel has none (" + words + "); Linux 5.1 or later, built with it";
        }
        if (refusal == ENOMEM) {
            return words + "; the memlock limit may be too low, see ulimit -l";
        }
        return words;
    }
}
