package io.mio.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The program in C, {@code alot_buf}, under MIO's preload library. Both come out of the jar of the
 * command line, if it was built where there is a C compiler.
 */
public final class NativeProgram implements DemoProgram {
    private static final String PROGRAM = "alot_buf";
    private static final String LIBRARY = "libmio_preload.so";
    private static final String PRELOAD = "LD_PRELOAD";

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
            NativeFiles.unpack(unpacked.program, "--native");
            NativeFiles.unpack(unpacked.library, "--native");
        } catch (IOException e) {
            unpacked.close();
            throw e;
        }
        return unpacked;
    }

    /** Returns true if both are in the jar. */
    public static boolean isBuilt() {
        return NativeFiles.isBuilt(PROGRAM) && NativeFiles.isBuilt(LIBRARY);
    }

    @Override
    public List<String> command(Map<String, String> settings, int recordBytes) {
        return List.of(program.toString());
    }

    @Override
    public void prepare(Map<String, String> settings, Map<String, String> environment) {
        settings.forEach(
                (key, value) -> environment.put("MIO_" + key.toUpperCase(Locale.ROOT), value));
        // The name is relative, since the loader splits at blanks and colons, which a whole path
        // may have.
        environment.merge(
                PRELOAD, "./" + library.getFileName(), (before, ours) -> ours + ":" + before);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(program);
        Files.deleteIfExists(library);
    }
}
