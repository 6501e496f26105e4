package io.mio.recov;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A process, and those it has started that are still its children. Twin of recov_family.c. */
final class ProcessFamily {
    /**
     * All who are told to stop are waited for so long: one that waits for a device starts nobody.
     */
    private static final long STOP_NANOS_MAX = 100_000_000;

    /** States of one that does nothing more: stopped, or ended. */
    private static final String STANDING = "TtZX";

    private ProcessFamily() {}

    /**
     * Ends all of them. Each is stopped before its children are asked for, since one that is just
     * being started is among them a while later; then its parent stops. No interrupt ends the wait.
     */
    static void kill(Process process) {
        try {
            kill(process.toHandle());
        } catch (SecurityException e) {
            // A security manager does not let the program start what stops them.
            process.destroyForcibly();
        }
    }

    private static void kill(ProcessHandle first) {
        long begin = System.nanoTime();
        List<ProcessHandle> all = new ArrayList<>(List.of(first));
        stop(all);
        for (int i = 0; i < all.size(); i++) {
            ProcessHandle one = all.get(i);
            while (!stands(one.pid()) && System.nanoTime() - begin < STOP_NANOS_MAX) {
                Thread.onSpinWait();
            }
            // Before their parent ends: none of them then ends by itself.
            List<ProcessHandle> children = one.children().toList();
            stop(children);
            all.addAll(children);
            one.destroyForcibly();
        }
    }

    /** Tells them to; without a process for it they are ended as they go. */
    private static void stop(List<ProcessHandle> all) {
        if (all.isEmpty()) {
            return;
        }
        StringBuilder command = new StringBuilder("kill -s STOP");
        for (ProcessHandle one : all) {
            if (one.isAlive()) {
                command.append(' ').append(one.pid());
            }
        }
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command.toString());
        builder.environment().put("MIO_ENABLED", "0");
        try {
            await(builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start());
        } catch (IOException e) {
            // No more processes for this user.
            return;
        }
    }

    private static void await(Process process) {
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** All its threads: one that is just starting a process has not stopped yet. */
    private static boolean stands(long pid) {
        String threads = "/proc/" + pid + "/task";
        String[] all = new File(threads).list();
        if (all != null) {
            for (String each : all) {
                if (!stands(threads + "/" + each + "/stat")) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean stands(String thread) {
        try (InputStream in = new FileInputStream(thread)) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            // Behind its name, which may have any letters.
            int state = text.lastIndexOf(')') + 2;
            return state >= text.length() || STANDING.indexOf(text.charAt(state)) >= 0;
        } catch (IOException e) {
            return true;
        }
    }
}
