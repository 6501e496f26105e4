package io.mio.os;

import java.io.Closeable;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A library unpacked for the moment in which it is loaded. Closing it removes the file again; what
 * is loaded stays loaded.
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
     * Writes a library to a private directory below {@code java.io.tmpdir}.
     *
     * @param content closed in any case; null is allowed
     * @return null if {@code content} is
     */
    static HelperFile unpack(InputStream content, String name) throws IOException {
        if (content == null) {
            return null;
        }
        try (content) {
            HelperFile unpacked = new HelperFile(new File(makeDirectory(), name));
            try {
                unpacked.write(content);
            } catch (IOException e) {
                unpacked.close();
                throw e;
            }
            return unpacked;
        }
    }

    private static File makeDirectory() throws IOException {
        String parent = System.getProperty("java.io.tmpdir", "/tmp");
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
        throw new IOException("no directory can be made in " + parent + "; see java.io.tmpdir");
    }

    private static boolean closeToOthers(File dir) {
        return dir.setWritable(false, false)
                && dir.setReadable(false, false)
                && dir.setExecutable(false, false)
                && dir.setReadable(true, true)
                && dir.setWritable(true, true)
                && dir.setExecutable(true, true);
    }

    private void write(InputStream content) throws IOException {
        if (!file.createNewFile()) {
            throw new IOException(file + " was there before it was made");
        }
        try (FileOutputStream out = new FileOutputStream(file)) {
            content.transferTo(out);
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
            // A leftover in the temporary directory is no reason to do without the helper.
            file.deleteOnExit();
        }
    }

    /** This kind of machine, in JNA's words, for example {@code linux-x86-64}. */
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
