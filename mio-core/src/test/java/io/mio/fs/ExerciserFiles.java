package io.mio.fs;

import io.mio.stack.Stacks;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Two directories that get the same calls. One is used through a file system of MIO, whose rule
 * gives a cache to names that end in {@code .dat} and none to others. The other one is the plain
 * JDK's, and the oracle.
 */
final class ExerciserFiles implements AutoCloseable {
    private static final int LOG_LINES = 25;

    private final FileSystem mio;
    private final Path subject;
    private final Path oracle;
    private final Consumer<String> told;
    private final Deque<String> log = new ArrayDeque<>();

    /** A call on one of the two directories; its value has all that matters of its outcome. */
    @FunctionalInterface
    interface Call {
        Object on(Path directory) throws Exception;
    }

    /**
     * @param told is given every operation as a line of text, before it is done
     */
    ExerciserFiles(
            Path directory, Function<String, Stacks> byRules, String layers, Consumer<String> told)
            throws IOException {
        this.told = told;
        Stacks stacks = byRules.apply("*.dat [ " + layers + " ]");
        mio =
                new MioFileSystemProvider(Door.platform(), options -> stacks)
                        .newFileSystem(URI.create("mio://exerciser/"), Map.of());
        subject = Files.createDirectory(directory.resolve("mio"));
        oracle = Files.createDirectory(directory.resolve("jdk"));
    }

    /** The subject's directory, seen through the door. */
    Path behind() {
        return mio.getPath(subject.toString());
    }

    Path oracle() {
        return oracle;
    }

    boolean isOracle(Path directory) {
        return directory == oracle;
    }

    /** Notes and reports what is done next. */
    void tell(String what) {
        log.addLast(what);
        if (log.size() > LOG_LINES) {
            log.removeFirst();
        }
        told.accept(what);
    }

    /** Makes the call in both directories, and expects the same value or exception. */
    Outcome both(String what, Call call) {
        tell(what);
        Outcome expected = Outcome.of(() -> call.on(oracle));
        Outcome got = Outcome.of(() -> call.on(behind()));
        if (!got.equals(expected)) {
            throw new AssertionError(
                    what + ": " + got + " instead of " + expected + "; before that " + log);
        }
        return expected;
    }

    /** Compares all bytes as the program sees them and, with {@code kernelToo}, in the kernel. */
    void compare(String name, boolean kernelToo) throws IOException {
        tell("compare: " + name + (kernelToo ? ", forced" : ", seen"));
        Path plain = oracle.resolve(name);
        Path behind = behind().resolve(name);
        if (Files.exists(plain) != Files.exists(behind)) {
            throw new AssertionError(name + " exists in one only; before that " + log);
        }
        if (!Files.exists(plain)) {
            return;
        }
        byte[] expected = Files.readAllBytes(plain);
        check("bytes of " + name, expected, Files.readAllBytes(behind));
        if (Files.size(behind) != expected.length) {
            throw new AssertionError("size of " + name + "; before that " + log);
        }
        if (kernelToo) {
            try (FileChannel channel =
                    FileChannel.open(behind, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                channel.force(false);
            }
            check("forced " + name, expected, Files.readAllBytes(subject.resolve(name)));
        }
    }

    private void check(String what, byte[] expected, byte[] got) {
        int wrong = Arrays.mismatch(expected, got);
        if (wrong >= 0) {
            throw new AssertionError(
                    what
                            + ": differ from byte "
                            + wrong
                            + " on, "
                            + got.length
                            + " bytes instead of "
                            + expected.length
                            + "; before that "
                            + log);
        }
    }

    /** Bytes as a value that is compared by content. */
    static ByteBuffer value(byte[] bytes) {
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public void close() throws IOException {
        mio.close();
    }
}
