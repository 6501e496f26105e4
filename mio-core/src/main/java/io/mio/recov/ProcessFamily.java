package io.mio.recov;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A process and those it has started that are still its children. Twin of recov_family.c. */
final class ProcessFamily {
    /**
     * Longest wait for all processes that were told to stop. One that waits for a device starts no
     * other.
     */
    private static final long STOP_NANOS_MAX = 100_000_000;

    /** States of a thread that does nothing more: stopped, or ended. */
    private static final String STANDING = "TtZX";

    private ProcessFamily() {}

    /**
     * Ends all of them. Each process is stopped before its children are listed, because a child
     * that is just being started is listed only a while later; its parent stops after that. No
     * interrupt ends the wait.
     */
    static void kill(Process process) {
        try {
            kill(process.toHandle());
        } catch (SecurityException e) {
            // A security manager does not allow the command that stops them.
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
            // Stopped before their parent ends, so that none of them ends by itself.
            List<ProcessHandle> children = one.children().toList();
            stop(children);
            all.addAll(children);
            one.destroyForcibly();
        }
    }

    /** Tells them to stop; if no process can be started for that, they are ended as they run. */
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
            // The user can have no more processes.
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

    /** Whether all its threads stand: one that is just starting a process has not stopped yet. */
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
            // The state is behind the name, which may have any letters.
            int state = text.lastIndexOf(')') + 2;
            return state >= text.length() || STANDING.indexOf(text.charAt(state)) >= 0;
        } catch (IOException e) {
            return true;
        }
    }
}
