package io.mio.os;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.stats.MioVersion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeHelperTest {
    private static final String RESOURCE = "natives/" + HelperFile.machine() + "/libmio_jvm.so";

    @TempDir Path tempDir;

    private static InputStream builtHelper() {
        InputStream helper = NativeHelper.class.getResourceAsStream(RESOURCE);
        assumeTrue(helper != null, "the helper was not built: no C compiler on this machine");
        return helper;
    }

    private static NativeHelper helper() throws IOException {
        builtHelper().close();
        NativeHelper helper = NativeHelper.load();
        assertThat(helper.whyNot()).isNull();
        assertThat(helper.isAvailable()).isTrue();
        return helper;
    }

    private Path copyOfHelper() throws IOException {
        Path copy = tempDir.resolve("libmio_jvm.so");
        try (InputStream in = builtHelper()) {
            Files.copy(in, copy);
        }
        return copy;
    }

    @Test
    void shouldBeOfMiosVersion() throws IOException {
        assertThat(helper().version()).isEqualTo(MioVersion.NUMBER);
        assertThat(NativeHelper.load()).isSameAs(NativeHelper.load());
    }

    @Test
    void shouldTellLimitsThatDivideTheBlockSize() throws IOException {
        NativeHelper helper = helper();
        Path dir = Path.of("target").toAbsolutePath();
        Path file = Files.createTempFile(dir, "limits", ".dat");
        try {
            Files.write(file, new byte[] {1, 2, 3});
            DirectLimits limits = helper.directLimits(file.toString());
            assumeTrue(
                    limits.isTold() && limits.offsetAlignBytes() > 0,
                    "the build directory's file system tells no direct I/O limits");
            assertThat(Integer.bitCount(limits.memAlignBytes())).isEqualTo(1);
            assertThat(Integer.bitCount(limits.offsetAlignBytes())).isEqualTo(1);
            assertThat(Files.getFileStore(file).getBlockSize() % limits.offsetAlignBytes())
                    .isZero();
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldSayWhenTheFileSystemDoesNotTell() throws IOException {
        NativeHelper helper = helper();
        Path shm = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(shm), "no /dev/shm to write to");
        Path file = Files.createTempFile(shm, "limits", ".dat");
        try {
            DirectLimits limits = helper.directLimits(file.toString());
            assumeTrue(!limits.isTold(), "this kernel tells limits for /dev/shm, too");
            assertThat(limits).isEqualTo(new DirectLimits(false, 0, 0));
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldFollowALinkAndTakeNamesBeyondAscii() throws IOException {
        NativeHelper helper = helper();
        assumeTrue(
                "UTF-8".equals(System.getProperty("sun.jnu.encoding")),
                "this locale has no such names");
        Path file = Files.createFile(tempDir.resolve("größe.dat"));
        Path link = Files.createSymbolicLink(tempDir.resolve("link"), file);
        assertThat(helper.directLimits(link.toString()))
                .isEqualTo(helper.directLimits(file.toString()));
    }

    @Test
    void shouldThrowTheSystemsWordsForAMissingFile() throws IOException {
        NativeHelper helper = helper();
        assertThatThrownBy(() -> helper.directLimits("/no/such/file"))
                .isInstanceOf(FileSystemException.class)
                .hasMessage("/no/such/file: No such file or directory");
        assertThatThrownBy(() -> helper.directLimits("/no\0file"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("NUL");
    }

    @Test
    void shouldTakeTheHelperOfAGivenFileOrDirectory() throws IOException {
        Path copy = copyOfHelper();
        assertThat(NativeHelper.load(copy.toString()).whyNot()).isNull();
        assertThat(NativeHelper.load(tempDir.toString()).whyNot()).isNull();
    }

    @Test
    void shouldSayThatAGivenFileIsMissing() {
        NativeHelper helper = NativeHelper.load(tempDir.resolve("absent.so").toString());
        assertThat(helper.isAvailable()).isFalse();
        assertThat(helper.whyNot()).contains("absent.so").contains("mio.native.path");
        assertThatThrownBy(helper::version).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRefuseALibraryForAnotherMachine() throws IOException {
        Path copy = copyOfHelper();
        try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw")) {
            // e_machine of the ELF header: 2 is 32-bit SPARC
            file.seek(18);
            file.write(new byte[] {2, 0});
        }
        NativeHelper helper = NativeHelper.load(copy.toString());
        assertThat(helper.isAvailable()).isFalse();
        assertThat(helper.whyNot()).contains("libmio_jvm.so");
    }

    @Test
    void shouldRefuseAHelperOfAnotherVersion() throws IOException, InterruptedException {
        builtHelper().close();
        Path target = tempDir.resolve("other");
        Path other = target.resolve("natives/" + HelperFile.machine() + "/libmio_jvm.so");
        Process make =
                new ProcessBuilder(
                                "make",
                                "-s",
                                "-C",
                                Path.of("../mio-native").toAbsolutePath().toString(),
                                "VERSION=9.9.9",
                                "TARGET=" + target,
                                other.toString())
                        .inheritIO()
                        .start();
        assertThat(make.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(make.exitValue()).isZero();
        NativeHelper helper = NativeHelper.load(other.toString());
        assertThat(helper.isAvailable()).isFalse();
        assertThat(helper.whyNot()).contains("9.9.9").contains(MioVersion.NUMBER);
    }

    @Test
    void shouldSayThatJnaIsMissing() throws Exception {
        assertThat(whyNot(NativeHelper.class)).contains("JNA is missing");
    }

    /** A runtime image that {@code jlink} made for a program without logging lacks this module. */
    @Test
    void shouldSayWhichModuleJnaNeeds() throws Exception {
        assertThat(whyNot(NativeHelper.class, com.sun.jna.Native.class))
                .isEqualTo(
                        "JNA needs the module java.logging, which this runtime image is without");
    }

    /** Before release 4.5, JNA had other classes. */
    @Test
    void shouldSayThatJnaIsTooOld() throws Exception {
        Path old = tempDir.resolve("old");
        Path jna = Files.createDirectories(old.resolve("com/sun/jna"));
        try (InputStream in = com.sun.jna.Native.class.getResourceAsStream("Native.class")) {
            Files.copy(in, jna.resolve("Native.class"));
        }
        URL mio = NativeHelper.class.getProtectionDomain().getCodeSource().getLocation();
        assertThat(whyNot(mio, old.toUri().toURL()))
                .startsWith("this JNA is too old, it lacks com/sun/jna/")
                .endsWith("; MIO needs 4.5.0 or later");
    }

    private static String whyNot(Class<?>... there) throws Exception {
        URL[] path = new URL[there.length];
        for (int i = 0; i < path.length; i++) {
            path[i] = there[i].getProtectionDomain().getCodeSource().getLocation();
        }
        return whyNot(path);
    }

    /** Why there is no helper with this class path alone, and without java.util.logging. */
    private static String whyNot(URL... path) throws Exception {
        try (URLClassLoader alone =
                new URLClassLoader(path, ClassLoader.getPlatformClassLoader()) {
                    @Override
                    protected Class<?> loadClass(String name, boolean resolve)
                            throws ClassNotFoundException {
                        if (name.startsWith("java.util.logging.")) {
                            throw new ClassNotFoundException(name);
                        }
                        return super.loadClass(name, resolve);
                    }
                }) {
            Class<?> type = alone.loadClass(NativeHelper.class.getName());
            Object helper = type.getMethod("load").invoke(null);
            assertThat(type.getMethod("isAvailable").invoke(helper)).isEqualTo(false);
            return (String) type.getMethod("whyNot").invoke(helper);
        }
    }

    @Test
    void shouldLeaveNothingInTheTemporaryDirectory() throws Exception {
        Path copied;
        byte[] content = {1, 2, 3};
        try (HelperFile file = HelperFile.unpack(new ByteArrayInputStream(content), "x.so")) {
            copied = file.file().toPath();
            assertThat(copied).hasBinaryContent(content);
            assertThat(Files.getPosixFilePermissions(copied.getParent()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            try (Stream<Path> all = Files.list(copied.getParent())) {
                assertThat(all).containsExactly(copied);
            }
        }
        assertThat(copied).doesNotExist();
        assertThat(copied.getParent()).doesNotExist();
    }

    /** On hardened systems, nothing can be run from the directory for temporary files. */
    @Test
    void shouldBeUnpackedElsewhereWhereTheTemporaryDirectoryRunsNothing() throws Exception {
        builtHelper().close();
        Path temporary = Files.createDirectory(tempDir.resolve("noexec"));
        Path home = Files.createDirectory(tempDir.resolve("home"));
        String mounted = "mount -t tmpfs -o noexec none \"$0\" && \"$@\" && ls -A \"$0\" ";
        assumeTrue(
                run("unshare", "-rm", "sh", "-c", mounted, temporary.toString(), "true")
                        .equals("0: "),
                "no mounts of its own for a process here");

        String said =
                run(
                        "unshare",
                        "-rm",
                        "sh",
                        "-c",
                        mounted + home,
                        temporary.toString(),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-Duser.home=" + home,
                        "-cp",
                        System.getProperty("java.class.path"),
                        HelperProgram.class.getName());

        assertThat(said).startsWith("0: helper: null\n").doesNotContain("mio-");
    }

    private static String run(String... command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("XDG_RUNTIME_DIR");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return e.getMessage();
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor() + ": " + output;
    }

    /** Loads the helper and prints why there is none. */
    static final class HelperProgram {
        private HelperProgram() {}

        @SuppressWarnings("SystemOut") // It is a program.
        public static void main(String[] args) {
            System.out.println("helper: " + NativeHelper.load().whyNot());
        }
    }
}
