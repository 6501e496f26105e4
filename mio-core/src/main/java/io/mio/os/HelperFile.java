package io.mio.os;

import java.io.Closeable;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A library unpacked only while it is loaded. Closing removes the file again; what is loaded stays
 * loaded.
 *
 * <p>The file is the only one in a directory made for it, and nobody else can put one there: {@code
 * mkdir} fails on anything that exists, links included; the directory is closed to others before
 * the file is made; and making the file fails if someone was quicker. Uses {@code java.io} alone,
 * which neither passes through MIO nor needs random numbers.
 */
final class HelperFile implements Closeable {
    private static final int ATTEMPTS = 16;

    private final File file;

    private HelperFile(File file) {
        this.file = file;
    }

    /**
     * Writes a library to a private directory below {@code java.io.tmpdir}. If the system runs
     * nothing from there (a mount with {@code noexec}), or nothing can be made there, it takes the
     * next of {@code XDG_RUNTIME_DIR}, {@code user.home}, {@code /var/tmp}, {@code /dev/shm}.
     *
     * @param content closed in any case; null is allowed
     * @return null if {@code content} is null
     * @throws IOException if the library can be written nowhere, with the reasons
     */
    static HelperFile unpack(InputStream content, String name) throws IOException {
        if (content == null) {
            return null;
        }
        byte[] library;
        try (content) {
            library = content.readAllBytes();
        }
        List<String> reasons = new ArrayList<>();
        for (String place : places()) {
            try {
                return unpack(library, place, name);
            } catch (IOException e) {
                reasons.add(e.getMessage());
            }
        }
        throw new IOException(String.join("; ", reasons) + "; see java.io.tmpdir");
    }

    private static Set<String> places() {
        Set<String> places = new LinkedHashSet<>();
        places.add(System.getProperty("java.io.tmpdir", "/tmp"));
        String own = System.getenv("XDG_RUNTIME_DIR");
        String home = System.getProperty("user.home", "");
        // For a user without a home the JDK says "?".
        for (String place : new String[] {own, home, "/var/tmp", "/dev/shm"}) {
            if (place != null && new File(place).isAbsolute()) {
                places.add(place);
            }
        }
        return places;
    }

    private static HelperFile unpack(byte[] library, String place, String name) throws IOException {
        HelperFile unpacked = new HelperFile(new File(makeDirectory(place), name));
        boolean runs = false;
        try {
            unpacked.write(library);
            // The system denies this on a file system it runs nothing from, even to root.
            runs = unpacked.file.setExecutable(true, true) && unpacked.file.canExecute();
        } finally {
            if (!runs) {
                unpacked.close();
            }
        }
        if (!runs) {
            throw new IOException("nothing may be run from " + place);
        }
        return unpacked;
    }

    private static File makeDirectory(String parent) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            File dir =
                    new File(parent, "mio-" + Long.toHexString(System.nanoTime()))
                            .getAbsoluteFile();
            if (dir.mkdir()) {
                if (closeToOthers(dir)) {
                    return dir;
                }
                deleteQuietly(dir);
                break;
            }
        }
        throw new IOException("no directory can be made in " + parent);
    }

    private static boolean closeToOthers(File dir) {
        return dir.setWritable(false, false)
                && dir.setReadable(false, false)
                && dir.setExecutable(false, false)
                && dir.setReadable(true, true)
                && dir.setWritable(true, true)
                && dir.setExecutable(true, true);
    }

    private void write(byte[] library) throws IOException {
        if (!file.createNewFile()) {
            throw new IOException(file + " was there before it was made");
        }
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(library);
        }
    }

    File file() {
        return file;
    }

    @Override
    public void close() {
        deleteQuietly(file);
        deleteQuietly(file.getParentFile());
    }

    private static void deleteQuietly(File file) {
        if (!file.delete()) {
            // A file left in the temporary directory is no reason to do without the helper.
            file.deleteOnExit();
        }
    }

    /** Returns the kind of this machine as JNA names it, for example {@code linux-x86-64}. */
    static String machine() {
        String cpu = System.getProperty("os.arch", "");
        return "linux-"
                + switch (cpu) {
                    case "amd64", "x86_64" -> "x86-64";
                    case "i386", "i486", "i586", "i686" -> "x86";
                    case "powerpc64le" -> "ppc64le";
                    default -> cpu;
                };
    }
}
