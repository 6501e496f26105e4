package io.mio.recov;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Tells whether this process has rights that its user does not have: it then runs no commands. */
final class ProcessRights {
    private static final int AT_SECURE = 23;

    private ProcessRights() {}

    /** True if the process is set-uid, set-gid or the like, or if that cannot be found out. */
    static boolean areRaised() {
        return Once.RAISED;
    }

    /** True if {@code status} has different real and effective ids, or {@code auxv} says so. */
    static boolean areRaised(String status, byte[] auxv) {
        return differ(status, "Uid:") || differ(status, "Gid:") || isSecure(auxv);
    }

    /** Compares the ids in a line {@code Uid: real effective saved file}, tabs between. */
    private static boolean differ(String status, String key) {
        for (String line : status.split("\n")) {
            if (line.startsWith(key)) {
                String[] ids = line.substring(key.length()).trim().split("\\s+");
                return ids.length < 2 || !ids[0].equals(ids[1]);
            }
        }
        return true;
    }

    /** Reads pairs of native words, the first of which says what the second is. */
    private static boolean isSecure(byte[] auxv) {
        boolean wide = System.getProperty("sun.arch.data.model", "64").equals("64");
        int word = wide ? Long.BYTES : Integer.BYTES;
        ByteBuffer words = ByteBuffer.wrap(auxv).order(ByteOrder.nativeOrder());
        while (words.remaining() >= 2 * word) {
            long type = wide ? words.getLong() : words.getInt();
            long value = wide ? words.getLong() : words.getInt();
            if (type == AT_SECURE) {
                return value != 0;
            }
        }
        return true;
    }

    private static final class Once {
        static final boolean RAISED = find();

        private static boolean find() {
            try {
                String status = new String(bytes("/proc/self/status"), StandardCharsets.ISO_8859_1);
                return areRaised(status, bytes("/proc/self/auxv"));
            } catch (IOException e) {
                return true;
            }
        }

        private static byte[] bytes(String file) throws IOException {
            try (InputStream in = new FileInputStream(file)) {
                return in.readAllBytes();
            }
        }
    }
}
