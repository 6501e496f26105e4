package io.mio.recov;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A process, and those it has started that are still its children. Twin of recov_family.c. */
final class ProcessFamily {
    /** Who is told to stop is waited for so long: one that waits for a device starts nobody. */
    private static final long STOP_NANOS_MAX = 100_000_000;

    /** States of one that does nothing more: stopped, or ended. */
    private static final String STANDING = "TZX";

    private ProcessFamily() {}

    /**
     * Ends all of them. Each is stopped before its children are asked for, since one that is just
     * being started is among them a while later; then its parent stops. No interrupt ends the wait.
     */
    static void kill(Process process) {
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        for (int i = 0; i < all.size(); i++) {
            stop(all.get(i).pid());
            all.get(i).children().forEach(all::add);
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }

    private static void stop(long pid) {
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -s STOP " + pid)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            // No more processes for this user: it is ended as it goes.
            return;
        }
        long begin = System.nanoTime();
        while (!stands(pid) && System.nanoTime() - begin < STOP_NANOS_MAX) {
            Thread.onSpinWait();
        }
    }

    private static boolean stands(long pid) {
        try (InputStream in = new FileInputStream("/proc/" + pid + "/stat")) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            // Behind its name, which may have any letters.
            int state = text.lastIndexOf(')') + 2;
            return state >= text.length() || STANDING.indexOf(text.charAt(state)) >= 0;
        } catch (IOException e) {
            return true;
        }
    }
}
