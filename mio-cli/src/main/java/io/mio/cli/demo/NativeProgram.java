package io.mio.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The program in C, {@code alot_buf}, under MIO's preload library. Both come out of the jar of the
 * command line, if it was built where there is a C compiler.
 */
public final class NativeProgram implements DemoProgram {
    private static final String PROGRAM = "alot_buf";
    private static final String LIBRARY = "libmio_preload.so";
    private static final String PRELOAD = "LD_PRELOAD";

    private static final FileAttribute<Set<PosixFilePermission>> FOR_THE_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path program;
    private final Path library;

    private NativeProgram(Path program, Path library) {
        this.program = program;
        this.library = library;
    }

    /**
     * Unpacks program and library.
     *
     * @param dir the working directory of the runs
     * @throws IOException if they are not in the jar, or cannot be written
     */
    public static NativeProgram unpack(Path dir) throws IOException {
        Path absolute = dir.toAbsolutePath();
        NativeProgram unpacked =
                new NativeProgram(absolute.resolve(PROGRAM), absolute.resolve(LIBRARY));
        try {
            unpacked.write(unpacked.program);
            unpacked.write(unpacked.library);
        } catch (IOException e) {
            unpacked.close();
            throw e;
        }
        return unpacked;
    }

    private void write(Path file) throws IOException {
        String resource = "natives/" + machine() + "/" + file.getFileName();
        try (InputStream in = NativeProgram.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(
                        "--native: this mio was built without "
                                + file.getFileName()
                                + " for "
                                + machine()
                                + "; build it where there is a C compiler (Debian: apt install gcc"
                                + " libc6-dev make)");
            }
            Files.createFile(file, FOR_THE_OWNER);
            Files.write(file, in.readAllBytes());
        }
    }

    /** True if both are in the jar. */
    public static boolean isBuilt() {
        String natives = "natives/" + machine() + "/";
        return NativeProgram.class.getResource(natives + PROGRAM) != null
                && NativeProgram.class.getResource(natives + LIBRARY) != null;
    }

    /** As the build names this kind of machine, for example {@code linux-x86-64}. */
    private static String machine() {
        String cpu = System.getProperty("os.arch", "");
        return "linux-"
                + switch (cpu) {
                    case "amd64", "x86_64" -> "x86-64";
                    case "powerpc64le" -> "ppc64le";
                    default -> cpu;
                };
    }

    @Override
    public List<String> command(Map<String, String> settings, int recordBytes) {
        return List.of(program.toString());
    }

    @Override
    public void prepare(Map<String, String> settings, Map<String, String> environment) {
        settings.forEach(
                (key, value) -> environment.put("MIO_" + key.toUpperCase(Locale.ROOT), value));
        // The loader splits at blanks and colons, which a whole path may have.
        environment.merge(
                PRELOAD, "./" + library.getFileName(), (before, ours) -> ours + ":" + before);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(program);
        Files.deleteIfExists(library);
    }
}
