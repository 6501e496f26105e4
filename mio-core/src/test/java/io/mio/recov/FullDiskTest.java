package io.mio.recov;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests recov through the door on a disk that is really full: a tmpfs of one mebibyte. */
class FullDiskTest {
    private static final int DISK_BYTES = 1 << 20;
    private static final String RULE =
            "*.dat [ recov/retry=2/command={rm $MIO_FILE.ballast} | os ]";

    @TempDir private Path directory;
    private Path disk;
    private Path data;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        data = disk.resolve("x.dat");
        mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "mio", disk.toString());
        assumeTrue(mounted, "mounting a small file system takes root");
        Files.write(disk.resolve("x.dat.ballast"), new byte[DISK_BYTES / 2]);
    }

    /** The unmount is lazy because files of reports stay open. */
    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertThat(run("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** The data file behind the door {@code mio}; reports go to the same disk. */
    private Path behind(FileSystem mio) {
        return mio.getPath(data.toString());
    }

    private FileSystem mio(String rule) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("mio://full-disk"),
                Map.of("files", rule, "stats", disk.resolve("stats").toString()));
    }

    private static byte[] contents() {
        byte[] bytes = new byte[DISK_BYTES * 3 / 4];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / 4096);
        }
        return bytes;
    }

    @Test
    void shouldFinishAWriteThatTheCommandMadeSpaceFor() throws Exception {
        ByteBuffer source = ByteBuffer.wrap(contents());
        try (FileSystem mio = mio(RULE);
                FileChannel channel = FileChannel.open(behind(mio), CREATE, WRITE)) {
            assertThat(channel.write(source)).isEqualTo(source.capacity());
        }

        assertThat(data).hasBinaryContent(contents());
        assertThat(disk.resolve("stats"))
                .content()
                .contains("recov : command=rm $MIO_FILE.ballast file=" + data + " errno=28 try=1\n")
                .doesNotContain("failure");
    }

    @Test
    void shouldFinishAnAsynchronousWrite() throws Exception {
        ByteBuffer source = ByteBuffer.wrap(contents());
        try (FileSystem mio = mio(RULE);
                AsynchronousFileChannel channel =
                        AsynchronousFileChannel.open(behind(mio), CREATE, WRITE)) {
            assertThat(channel.write(source, 0).get()).isEqualTo(source.capacity());
        }

        assertThat(data).hasBinaryContent(contents());
    }

    @Test
    void shouldLeaveNoEmptyReportWhereThereIsNoSpace() throws Exception {
        Files.write(data, new byte[DISK_BYTES / 2]);
        try (FileSystem mio = mio("*.dat [ trace/stats ]")) {
            Files.readAllBytes(behind(mio));
        }

        assertThat(disk.resolve("stats")).doesNotExist();
    }

    @Test
    void shouldKeepTheMessagesUntilThereIsSpaceForThem() throws Exception {
        String rule = "*.dat [ trace/stats | recov/retry=2/command=true ]";
        try (FileSystem mio = mio(rule);
                FileChannel channel = FileChannel.open(behind(mio), CREATE, WRITE)) {
            ByteBuffer source = ByteBuffer.wrap(contents());
            int part = channel.write(source);
            assertThat(part).isPositive().isLessThan(source.capacity());
            assertThatThrownBy(() -> channel.write(source))
                    .isInstanceOf(IOException.class)
                    .satisfies(e -> assertThat(Failure.of(e).name()).isEqualTo("ENOSPC"));
            Files.delete(disk.resolve("x.dat.ballast"));
        }

        assertThat(disk.resolve("stats"))
                .content()
                .containsPattern("(?s)try=2\nrecov : failure : new_ret=\\d+\n")
                .containsPattern("(?s)try=2\nrecov : failure : new_ret=-1\n.*Trace close : program")
                .endsWith("=".repeat(76) + "\n");
    }

    @Test
    void shouldFinishAWriteOfAStream() throws Exception {
        try (FileSystem mio = mio(RULE);
                OutputStream out = Files.newOutputStream(behind(mio))) {
            out.write(contents());
        }

        assertThat(data).hasBinaryContent(contents());
    }
}
