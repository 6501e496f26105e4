package io.mio.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Programs in C and the preload library, which are in the jar of the command line if it was built
 * where there is a C compiler.
 */
public final class NativeFiles {
    private static final FileAttribute<Set<PosixFilePermission>> FOR_THE_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private NativeFiles() {}

    /**
     * Unpacks a file where none exists: an existing one stays.
     *
     * @param file where to; the name says which one
     * @param option option of the command that needs it, for messages
     * @throws IOException if it is not in the jar, or cannot be written
     */
    public static void unpack(Path file, String option) throws IOException {
        String name = file.getFileName().toString();
        try (InputStream in = NativeFiles.class.getResourceAsStream(resource(name))) {
            if (in == null) {
                throw new IOException(
                        option
                                + ": this mio was built without "
                                + name
                                + " for "
                                + machine()
                                + "; build it where there is a C compiler (Debian: apt install gcc"
                                + " libc6-dev make)");
            }
            Set<StandardOpenOption> anew =
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (SeekableByteChannel out = Files.newByteChannel(file, anew, FOR_THE_OWNER)) {
                ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes());
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            } catch (FileAlreadyExistsException e) {
                throw new IOException(file + ": is there already, and stays as it is", e);
            } catch (IOException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        }
    }

    /** Returns true if the file is in the jar. */
    public static boolean isBuilt(String name) {
        return NativeFiles.class.getResource(resource(name)) != null;
    }

    private static String resource(String name) {
        return "natives/" + machine() + "/" + name;
    }

    /** Returns the build's name for this kind of machine, for example {@code linux-x86-64}. */
    private static String machine() {
        String cpu = System.getProperty("os.arch", "");
        return "linux-"
                + switch (cpu) {
                    case "amd64", "x86_64" -> "x86-64";
                    case "powerpc64le" -> "ppc64le";
                    default -> cpu;
                };
    }
}
