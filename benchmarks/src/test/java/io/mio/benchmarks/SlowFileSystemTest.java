package io.mio.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * That the storage with latency (native/slowfs.c) is a file system: bytes, sizes, names, errors.
 */
class SlowFileSystemTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final long SEED = System.nanoTime();

    @TempDir static Path programs;
    private static Path slowfs;

    @TempDir Path dir;
    private Path behind;
    private Path mount;
    private Process process;
    private BufferedReader lines;

    @BeforeAll
    static void compile() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/fuse")), "no /dev/fuse");
        slowfs = programs.resolve("slowfs");
        List<String> command = new ArrayList<>(List.of("cc", "-O2", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of("-pthread", "-o", slowfs.toString()));
        for (String part : List.of("slowfs.c", "slowfs_files.c", "slowfs_nodes.c")) {
            command.add(Path.of("native", part).toString());
        }
        try {
            TestFile.command(command);
        } catch (TestFile.CommandNotFoundException e) {
            assumeTrue(false, "no C compiler");
        }
    }

    @BeforeEach
    void makeDirectories() throws IOException {
        behind = Files.createDirectory(dir.resolve("behind"));
        mount = Files.createDirectory(dir.resolve("mount"));
    }

    private void mount(int microseconds) throws Exception {
        process = start("-l", Integer.toString(microseconds), behind.toString(), mount.toString());
        lines = process.inputReader(StandardCharsets.UTF_8);
        if (lines.readLine() == null) {
            String why =
                    new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            process = null;
            assumeTrue(!why.contains("/dev/fuse") && !why.contains("CAP_SYS_ADMIN"), why);
            assumeTrue(!why.contains("fusermount3"), why);
            throw new IOException(why);
        }
    }

    @AfterEach
    void unmount() throws Exception {
        if (process != null) {
            process.destroy();
            assertThat(process.waitFor()).isZero();
            try (var left = Files.list(mount)) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void shouldKeepEveryByteAndTheSize() throws Exception {
        mount(100);
        Random random = new Random(SEED);
        byte[] model = new byte[0];
        Path file = mount.resolve("file");
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            for (int i = 0; i < 300; i++) {
                int offset = random.nextInt(3 * MEBIBYTE);
                byte[] bytes = new byte[random.nextInt(i % 10 == 0 ? 2 * MEBIBYTE : 10_000)];
                switch (random.nextInt(5)) {
                    case 0 -> {
                        channel.truncate(offset);
                        model = Arrays.copyOf(model, Math.min(model.length, offset));
                    }
                    case 1, 2 -> {
                        random.nextBytes(bytes);
                        channel.write(ByteBuffer.wrap(bytes), offset);
                        if (bytes.length > 0) {
                            int end = Math.max(model.length, offset + bytes.length);
                            model = Arrays.copyOf(model, end);
                            System.arraycopy(bytes, 0, model, offset, bytes.length);
                        }
                    }
                    default -> {
                        int read = channel.read(ByteBuffer.wrap(bytes), offset);
                        int there = Math.min(bytes.length, model.length - offset);
                        int expected = there <= 0 && bytes.length > 0 ? -1 : Math.max(0, there);
                        assertThat(read).as("seed %d, step %d", SEED, i).isEqualTo(expected);
                        assertThat(Arrays.copyOf(bytes, Math.max(0, read)))
                                .as("seed %d, step %d", SEED, i)
                                .isEqualTo(slice(model, offset, Math.max(0, read)));
                    }
                }
                assertThat(channel.size()).as("seed %d, step %d", SEED, i).isEqualTo(model.length);
            }
        }
        assertThat(Files.size(behind.resolve("file"))).isEqualTo(model.length);
        assertThat(Files.readAllBytes(behind.resolve("file"))).isEqualTo(model);
    }

    @Test
    void shouldTakeDirectRequestsOfAMebibyteWholeAndTogether() throws Exception {
        mount(200_000);
        byte[] bytes = new byte[4 * MEBIBYTE];
        new Random(SEED).nextBytes(bytes);
        Files.write(behind.resolve("file"), bytes);
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes.length + 4096).alignedSlice(4096);
        memory.limit(bytes.length);
        try (FileChannel channel = FileChannel.open(mount.resolve("file"), direct())) {
            assertThat(channel.read(memory, 0)).isEqualTo(bytes.length);
        }
        byte[] read = new byte[bytes.length];
        memory.flip().get(read);
        assertThat(read).isEqualTo(bytes);
        assertThat(counts())
                .contains("reads 4, bytes 4194304, largest 1048576;")
                .contains("direct opens 1")
                .doesNotContain("most in flight 1;");
        assertThat(counts()).contains("reads 0, bytes 0, largest 0;");
    }

    @Test
    void shouldShowNamesLinksAndDirectories() throws Exception {
        mount(0);
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < 700; i++) {
            names.add("a rather long name, so that one answer does not hold them all " + i);
        }
        Path many = Files.createDirectory(mount.resolve("many"));
        for (String name : names) {
            Files.createFile(many.resolve(name));
        }
        try (var list = Files.list(many)) {
            assertThat(list.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(names);
        }
        Path file = Files.writeString(mount.resolve("file"), "content");
        Path link = Files.createSymbolicLink(mount.resolve("link"), Path.of("file"));
        Files.createLink(mount.resolve("other"), file);
        Files.move(file, mount.resolve("moved"));
        assertThat(Files.readString(mount.resolve("other"))).isEqualTo("content");
        assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("file"));
        assertThat(Files.getAttribute(mount.resolve("moved"), "unix:nlink")).isEqualTo(2);
        Files.delete(mount.resolve("moved"));
        Files.delete(link);
        try (var list = Files.list(behind)) {
            assertThat(list.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("many", "other");
        }
    }

    @Test
    void shouldGiveTheErrorsOfTheDirectoryBehind() throws Exception {
        mount(0);
        Path full = Files.createDirectory(mount.resolve("full"));
        Path file = Files.writeString(full.resolve("file"), "content");

        assertThatThrownBy(() -> Files.readAllBytes(mount.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Files.delete(full)).isInstanceOf(DirectoryNotEmptyException.class);
        assertThatThrownBy(() -> Files.createFile(file))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Files.createFile(file.resolve("below")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Not a directory");
        assertThatThrownBy(() -> Files.createFile(mount.resolve("n".repeat(256))))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("name too long");
        assertThat(Files.readString(file)).isEqualTo("content");
    }

    @Test
    void shouldEndWhenSomebodyElseUnmounts() throws Exception {
        mount(0);
        try {
            TestFile.command(List.of("umount", mount.toString()));
        } catch (IOException e) {
            assumeTrue(false, "this user may not: " + e.getMessage());
        }

        assertThat(process.waitFor()).isZero();
    }

    @Test
    void shouldSayWhatIsWrongWithItsArguments() throws Exception {
        assertThat(failure("-l", "soon", behind.toString(), mount.toString()))
                .isEqualTo("2 slowfs: soon: not microseconds from 0");
        assertThat(failure(behind.toString())).startsWith("2 usage: slowfs ");
        assertThat(failure(dir + "/none", mount.toString()))
                .isEqualTo("1 slowfs: " + dir + "/none: No such file or directory");
    }

    /** The option for direct I/O, by name: its class is the platform's own, and may be removed. */
    private static OpenOption direct() throws ClassNotFoundException {
        Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
        for (Object option : options.getEnumConstants()) {
            if (option.toString().equals("DIRECT")) {
                return (OpenOption) option;
            }
        }
        throw new IllegalStateException("no option DIRECT");
    }

    /** The line of counts since the last call. */
    private String counts() throws Exception {
        TestFile.command(List.of("kill", "-USR1", Long.toString(process.pid())));
        return lines.readLine();
    }

    /** Exit status and message of a start that fails. */
    private static String failure(String... arguments) throws Exception {
        Process failing = start(arguments);
        String said = new String(failing.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return failing.waitFor() + " " + said.strip();
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(slowfs.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    private static byte[] slice(byte[] of, int offset, int length) {
        return length == 0 ? new byte[0] : Arrays.copyOfRange(of, offset, offset + length);
    }
}
