package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory that was renamed while it was open: names in it are those of the renamed directory,
 * whatever lies at the old place. The platform is the oracle. The rule gives the file pages by its
 * new name, by both names, or by every name.
 */
@Tag("backends")
@ParameterizedClass(name = "rule for {0}")
@ValueSource(strings = {"e/f", "d/f:e/f", "**"})
class SecureDirectoryTest {
    private static final int BYTES = 10_000;

    @Parameter String names;
    @TempDir Path directory;
    private Path name;

    /** What a program does in a directory, and what it sees there. */
    @FunctionalInterface
    private interface Work {
        void in(SecureDirectoryStream<Path> open, Path there, List<Object> seen) throws IOException;
    }

    @BeforeEach
    void makeDirectories() throws IOException {
        for (String each : new String[] {"plain", "mio"}) {
            Files.createDirectories(directory.resolve(each));
        }
    }

    private String rule() {
        StringBuilder all = new StringBuilder();
        for (String each : names.split(":", -1)) {
            all.append(all.length() == 0 ? "" : ":").append(directory.resolve("mio").resolve(each));
        }
        return all + " [ pf/cache=64k/page=4k/private ]";
    }

    /** Checks with another directory of the old name that has a file as long, and without it. */
    private void check(Work work) throws IOException {
        for (boolean other : new boolean[] {true, false}) {
            List<Object> expected = done(directory.resolve("plain"), other, work);
            try (FileSystem mio =
                    FileSystems.newFileSystem(
                            URI.create("mio://secure/"), Map.of("files", rule()))) {
                Path root = mio.getPath(directory.resolve("mio").toString());
                assertThat(done(root, other, work)).as("other: %s", other).isEqualTo(expected);
            }
        }
    }

    private List<Object> done(Path root, boolean other, Work work) throws IOException {
        name = root.getFileSystem().getPath("f");
        Path old = Files.createDirectories(root.resolve("d"));
        Path there = root.resolve("e");
        Files.write(old.resolve("f"), new byte[BYTES]);
        List<Object> seen = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(old)) {
            Files.move(old, there);
            if (other) {
                Files.createDirectory(old);
                Files.write(old.resolve("f"), new byte[BYTES]);
            }
            work.in((SecureDirectoryStream<Path>) stream, there, seen);
            if (other) {
                seen.add(ByteBuffer.wrap(Files.readAllBytes(old.resolve("f"))));
            }
        }
        for (Path left : new Path[] {old, there}) {
            Files.deleteIfExists(left.resolve("f"));
            Files.deleteIfExists(left.resolve("g"));
            Files.deleteIfExists(left);
        }
        return seen;
    }

    private static ByteBuffer filled(int value) {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer read(SeekableByteChannel channel, long at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        channel.position(at).read(bytes);
        return bytes.flip();
    }

    @Test
    void shouldCutTheFileThatIsThere() throws IOException {
        check(
                (open, there, seen) -> {
                    try (FileChannel holder = FileChannel.open(there.resolve("f"), READ, WRITE)) {
                        holder.write(filled(1), 0);
                        holder.write(filled(2), BYTES);
                        try (SeekableByteChannel cut =
                                open.newByteChannel(name, Set.of(WRITE, TRUNCATE_EXISTING))) {
                            seen.add(List.of(cut.size(), holder.size()));
                            cut.write(ByteBuffer.wrap(new byte[] {3, 4, 5}));
                        }
                        seen.add(List.of(holder.size(), read(holder, 0), read(holder, 3)));
                    }
                    seen.add(Files.size(there.resolve("f")));
                });
    }

    @Test
    void shouldShareTheFileThatIsThere() throws IOException {
        check(
                (open, there, seen) -> {
                    try (FileChannel holder = FileChannel.open(there.resolve("f"), READ, WRITE);
                            SeekableByteChannel same =
                                    open.newByteChannel(name, Set.of(READ, WRITE))) {
                        holder.write(filled(1), 50);
                        seen.add(List.of(same.size(), read(same, 0)));
                        same.position(7).write(ByteBuffer.wrap(new byte[] {3, 4, 5}));
                        seen.add(read(holder, 0));
                        holder.write(ByteBuffer.wrap(new byte[] {6}), 8);
                        seen.add(read(same, 0));
                    }
                    seen.add(ByteBuffer.wrap(Files.readAllBytes(there.resolve("f"))));
                });
    }

    @Test
    void shouldHaveWrittenWhatAttributesTell() throws IOException {
        check(
                (open, there, seen) -> {
                    try (FileChannel holder = FileChannel.open(there.resolve("f"), READ, WRITE)) {
                        BasicFileAttributeView view =
                                open.getFileAttributeView(name, BasicFileAttributeView.class);
                        holder.write(filled(1), BYTES);
                        seen.add(view.readAttributes().size());
                        holder.write(filled(1), 2 * BYTES);
                        view.setTimes(FileTime.fromMillis(5000), null, null);
                        open.move(name, open, there.getFileSystem().getPath("g"));
                    }
                    seen.add(Files.size(there.resolve("g")));
                    seen.add(Files.getLastModifiedTime(there.resolve("g")));
                });
    }

    @Test
    void shouldOpenBelowIt() throws IOException {
        check(
                (open, there, seen) -> {
                    Path below = Files.createDirectory(there.resolve("below"));
                    Path file = Files.write(below.resolve("f"), new byte[BYTES]);
                    try (SecureDirectoryStream<Path> inner =
                                    open.newDirectoryStream(below.getFileName());
                            FileChannel holder = FileChannel.open(file, READ, WRITE)) {
                        holder.write(filled(1), 0);
                        inner.newByteChannel(name, Set.of(WRITE, TRUNCATE_EXISTING)).close();
                        seen.add(holder.size());
                    }
                    Files.delete(file);
                    Files.delete(below);
                });
    }
}
