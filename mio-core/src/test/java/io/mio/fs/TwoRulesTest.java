package io.mio.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.layer.FileKey;
import io.mio.layer.Layer;
import io.mio.os.NativeHelper;
import io.mio.stack.StackBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens of one file by different rules, as the door composes them, and what lies below their pages.
 * Twin of {@code stack_agree_test.c}.
 */
@Tag("backends")
class TwoRulesTest {
    private static final String PF = "pf/cache=64k/page=16k";
    private static final Set<StandardOpenOption> BOTH = Set.of(READ, WRITE);

    @TempDir Path directory;
    private Path file;
    private Path link;

    @BeforeEach
    void make() throws IOException {
        file = Files.writeString(directory.resolve("data"), "oooooooo", UTF_8);
        link = Files.createLink(directory.resolve("log"), file);
    }

    private static FileChannel open(Path path, String rules) throws IOException {
        return new FileOpener(StackBuilder.load(Map.of("files", rules), FileSystems.getDefault()))
                .newFileChannel(path, BOTH);
    }

    private FileChannel paged() throws IOException {
        return open(file, "* [ " + PF + " ]");
    }

    private FileChannel plain() throws IOException {
        return open(link, "* [ trace ]");
    }

    private static void write(FileChannel channel, String bytes, long offset) throws IOException {
        ByteBuffer src = ByteBuffer.wrap(bytes.getBytes(UTF_8));
        assertThat(channel.write(src, offset)).isEqualTo(bytes.length());
    }

    private String held() throws IOException {
        return Files.readString(file, UTF_8);
    }

    /** The other open may have an older write on its way, which bytes kept in pages would undo. */
    @Test
    void shouldKeepNoWriteInPagesWhileAnotherOpenMayWritePastThem() throws IOException {
        FileChannel plain = plain();
        try (FileChannel paged = paged()) {
            write(paged, "nn", 3);
            assertThat(held()).isEqualTo("ooonnooo");
            plain.close();
            write(paged, "mm", 3);
            assertThat(held()).isEqualTo("ooonnooo");
        }
        assertThat(held()).isEqualTo("ooommooo");
    }

    /** An open that comes when the file has pages takes the gate. */
    @Test
    void shouldKeepWritesInPagesIfTheOtherOpenCameLater() throws IOException {
        try (FileChannel paged = paged();
                FileChannel plain = plain()) {
            write(paged, "nn", 3);
            assertThat(held()).isEqualTo("oooooooo");
            write(plain, "p", 5);
            assertThat(held()).isEqualTo("ooonnpoo");
        }
    }

    /**
     * With mio/cio another write may be changing the bytes between at that moment: such writes go
     * on while a page is written.
     */
    @Test
    void shouldWriteNoByteThatTheOpenDidNotWhereWritesMayMeet() throws IOException {
        String sector = "o".repeat(4096);
        Files.writeString(file, sector.repeat(3), UTF_8);
        try (FileChannel paged = open(file, "* [ mio/cio | " + PF + " ]")) {
            assertThat(paged.read(ByteBuffer.allocate(3 * 4096), 0)).isEqualTo(3 * 4096);
            write(paged, sector.replace('o', 'n'), 0);
            write(paged, sector.replace('o', 'n'), 2 * 4096);
            try (FileChannel others = FileChannel.open(file, WRITE)) {
                write(others, "p", 4096);
            }
        }
        assertThat(held()).matches("n{4096}po{4095}n{4096}");
    }

    /** An open that cuts finds another file by that name than was there a moment before. */
    @Test
    void shouldKeepTheBytesOfAFileWhoseNameAnotherGotAsItWasToBeCut() throws IOException {
        assumeTrue(NativeHelper.load().isAvailable(), "without it nobody tells what was opened");
        PageFiles renames =
                new PageFiles() {
                    @Override
                    <T> T truncating(FileKey key, Layer.IoCall<T> open, Predicate<T> isThis)
                            throws IOException {
                        Path other = Files.writeString(directory.resolve("other"), "cut", UTF_8);
                        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
                        return super.truncating(key, open, isThis);
                    }
                };
        StackBuilder stacks =
                StackBuilder.load(Map.of("files", "* [ " + PF + " ]"), FileSystems.getDefault());
        try (FileChannel paged = new FileOpener(stacks).newFileChannel(file, BOTH)) {
            write(paged, "nn", 3);
            Set<StandardOpenOption> cuts = Set.of(WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            new FileOpener(stacks, renames).newFileChannel(file, cuts).close();
            assertThat(Files.size(file)).isZero();
        }
        assertThat(Files.readString(link, UTF_8)).isEqualTo("ooonnooo");
    }

    @Test
    void shouldKeepWhatATruncationLeftOutDoesNotCut() throws IOException {
        String rules = "* [ " + PF + " | os/notrunc ]";
        Path empty = Files.createFile(directory.resolve("empty"));
        try (FileChannel channel = open(empty, rules)) {
            write(channel, "abcd", 0);
            channel.truncate(0);
            assertThat(channel.size()).isEqualTo(4);
        }
        assertThat(Files.readString(empty, UTF_8)).isEqualTo("abcd");
        try (FileChannel channel = open(empty, rules)) {
            channel.truncate(1);
            write(channel, "z", 3);
        }
        assertThat(Files.readString(empty, UTF_8)).isEqualTo("abcz");
    }
}
