package io.mio.fs;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.config.StackSpec;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.os.NativeHelper;
import io.mio.stack.StackBuilder;
import io.mio.stack.Stacks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another file is moved over a name right after the platform has opened the name, before anything
 * has looked at it: with the helper, each open has the bytes of its own file all the same.
 */
@Tag("backends")
class ReplacedFileTest {
    private static final int SIZE = 512 << 10;
    private static final int BYTES = 100;
    private static final String PAGES = "[ pf/behind/cache=64k/page=4k/pref=1/private ]";

    @TempDir Path dir;
    private Path name;

    /** The opened file, by its other name; {@code next} is moved over the first name. */
    private Path old;

    private Path next;

    @BeforeEach
    void make() throws IOException {
        assumeTrue(NativeHelper.load().isAvailable(), "no helper was built");
        name = Files.write(dir.resolve("file.name"), filled('o', SIZE));
        old = Files.createLink(dir.resolve("file.old"), name);
        next = Files.write(dir.resolve("file.next"), filled('n', SIZE));
    }

    private void move() throws IOException {
        if (Files.exists(next)) {
            Files.createLink(dir.resolve("file.new"), next);
            Files.move(next, name, ATOMIC_MOVE);
        }
    }

    private static byte[] filled(char with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private static Stacks stacks(String rule) {
        return StackBuilder.load(
                Map.of("files", "*.name " + rule + " *.old " + PAGES + " *.new " + PAGES),
                FileSystems.getDefault());
    }

    /** Makes an opener whose first open moves the file once the platform's open is done. */
    private FileOpener opener(String rule) {
        return new FileOpener(new Moving(stacks(rule)));
    }

    private static FileChannel open(FileOpener opener, Path path, OpenOption... options)
            throws IOException {
        return opener.newFileChannel(path, Set.of(options));
    }

    private static void write(FileChannel channel, char with) throws IOException {
        assertThat(channel.write(ByteBuffer.wrap(filled(with, BYTES)), 0)).isEqualTo(BYTES);
    }

    private static void reads(FileChannel channel, char with, long at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        assertThat(channel.read(bytes, at)).isEqualTo(BYTES);
        assertThat(bytes.array()).isEqualTo(filled(with, BYTES));
    }

    @Test
    void shouldTakePagesOfItsOwnFileUnderAuto() throws Exception {
        FileOpener opener = opener("[ pf/auto ]");
        try (FileChannel first = open(opener, name, READ);
                FileChannel second = open(opener, name, READ)) {
            assertThat(Files.exists(next)).isFalse();
            for (int i = 0; i < 1000; i++) {
                reads(first, 'o', (long) i * BYTES);
                reads(second, 'n', (long) i * BYTES);
            }
        }
    }

    @Test
    void shouldReadWhatOthersHaveInPagesThoughNoRuleMatches() throws Exception {
        FileOpener opener = opener("[ os ]");
        try (FileChannel writer = open(new FileOpener(stacks(PAGES)), old, READ, WRITE)) {
            write(writer, 'p');
            try (FileChannel reader = open(opener, name, READ)) {
                assertThat(Files.exists(next)).isFalse();
                reads(reader, 'p', 0);
            }
        }
    }

    @Test
    void shouldNotWriteIntoPagesOfTheFileThatCame() throws Exception {
        FileOpener opener = opener("[ trace ]");
        try (FileChannel traced = open(opener, name, READ, WRITE);
                FileChannel other = open(opener, dir.resolve("file.new"), READ, WRITE)) {
            reads(other, 'n', 0);
            write(traced, 'x');
            reads(other, 'n', 0);
            write(other, 'y');
            reads(traced, 'x', 0);
        }
    }

    @Test
    void shouldReadWhatOthersHaveInPagesOfASmallFileThatIsLeft() throws Exception {
        Files.write(name, filled('o', 4096));
        Files.write(next, filled('n', 4096));
        PageFiles pages =
                new PageFiles() {
                    @Override
                    boolean any() {
                        // This is first asked when the platform has opened the name.
                        try {
                            move();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                        return super.any();
                    }
                };
        Stacks stacks = stacks("[ pf/auto ]");
        try (FileChannel writer = open(new FileOpener(stacks), old, READ, WRITE)) {
            write(writer, 'p');
            try (FileChannel reader = open(new FileOpener(stacks, pages), name, READ)) {
                assertThat(Files.exists(next)).isFalse();
                reads(reader, 'p', 0);
                write(writer, 'q');
                reads(reader, 'q', 0);
            }
        }
    }

    /** Moves the file after the first open of its name. */
    private final class Moving implements Stacks {
        private final Stacks stacks;

        Moving(Stacks stacks) {
            this.stacks = stacks;
        }

        @Override
        public StackSpec match(String file) {
            return stacks.match(file);
        }

        @Override
        public <T> T opening(StackSpec spec, String file, Layer.IoCall<T> open) throws IOException {
            T opened = stacks.opening(spec, file, open);
            move();
            return opened;
        }

        @Override
        public Layer open(StackSpec spec, OpenRequest request, Layer os) throws IOException {
            return stacks.open(spec, request, os);
        }
    }
}
