package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.config.GoldenCase;
import io.mio.config.StackSpec;
import io.mio.stack.StackBuilder;
import io.mio.stack.Stacks;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small files that are only read, under {@code pf/auto} alone: they get the platform's own objects,
 * which still agree with opens that have pages.
 */
class LeftFilesTest {
    private static final int SMALL = 256 << 10;

    @TempDir Path dir;
    private Path left;
    private Path behind;
    private FileOpener opener;

    @BeforeEach
    void make() throws IOException {
        left = Files.write(dir.resolve("file.left"), filled('k', SMALL));
        behind = Files.createLink(dir.resolve("file.behind"), left);
        opener =
                opener(
                        "*.left [ pf/auto ] *.traced [ auto ]"
                                + " *.behind [ pf/cache=64k/page=4k/pref=1/private ]");
    }

    private static FileOpener opener(String files) {
        return new FileOpener(stacks(files));
    }

    private static Stacks stacks(String files) {
        return StackBuilder.load(Map.of("files", files), FileSystems.getDefault());
    }

    private static byte[] filled(char with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private FileChannel open(Path path, OpenOption... options) throws IOException {
        return opener.newFileChannel(path, Set.of(options));
    }

    private boolean hasLayers(Path path, OpenOption... options) throws IOException {
        try (FileChannel channel = open(path, options)) {
            return channel instanceof MioFileChannel;
        }
    }

    private static void write(FileChannel channel, char with, long at) throws IOException {
        assertThat(channel.write(ByteBuffer.wrap(filled(with, 100)), at)).isEqualTo(100);
    }

    private static void reads(FileChannel channel, char with, long at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        assertThat(channel.read(bytes, at)).isEqualTo(100);
        assertThat(bytes.array()).isEqualTo(filled(with, 100));
    }

    @Test
    void shouldBeThePlatformsOwn() throws Exception {
        assertThat(hasLayers(left)).isFalse();
        assertThat(hasLayers(left, READ)).isFalse();
        assertThat(hasLayers(left, READ, WRITE)).isTrue();
        assertThat(hasLayers(left, WRITE)).isTrue();
        assertThat(hasLayers(Files.createLink(dir.resolve("file.traced"), left))).isTrue();
    }

    @Test
    void shouldBeOpenedByAThreadThatIsInterrupted() throws Exception {
        Thread.currentThread().interrupt();
        try (FileChannel channel = open(left, READ)) {
            assertThat(channel.isOpen()).isTrue();
            assertThat(Thread.interrupted()).isTrue();
            reads(channel, 'k', 0);
        }
    }

    @Test
    void shouldHaveLayersWhereHintsMayHelp() throws Exception {
        Files.write(left, filled('k', SMALL + 1));
        assertThat(hasLayers(left, READ)).isTrue();
        Files.write(left, filled('k', SMALL));
        assertThat(hasLayers(left, READ)).isFalse();
    }

    @Test
    void shouldAskForTheSizeAgainWhenTheProgramMayHaveWritten() throws Exception {
        assertThat(hasLayers(left, READ)).isFalse();
        try (FileChannel writer = open(left, WRITE)) {
            write(writer, 'l', SMALL);
        }
        assertThat(hasLayers(left, READ)).isTrue();
    }

    @Test
    void shouldReadWholeWhatHasGrownMeanwhile() throws Exception {
        assertThat(hasLayers(left, READ)).isFalse();
        Files.write(left, filled('l', 2 * SMALL));
        try (FileChannel channel = open(left, READ)) {
            reads(channel, 'l', 2 * SMALL - 100);
            assertThat(channel.size()).isEqualTo(2 * SMALL);
        }
        try (InputStream in = opener.newInputStream(left)) {
            assertThat(in.readAllBytes()).isEqualTo(filled('l', 2 * SMALL));
        }
    }

    @Test
    void shouldBeThePlatformsOwnForAnInterruptedThreadWhereItIsKnown() throws Exception {
        assertThat(hasLayers(left, READ)).isFalse();
        Thread.currentThread().interrupt();
        try (FileChannel channel = open(left, READ)) {
            assertThat(channel).isNotInstanceOf(MioFileChannel.class);
            assertThat(channel.isOpen()).isTrue();
        }
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldBeThePlatformsOwnStreams() throws Exception {
        try (InputStream in = opener.newInputStream(left);
                InputStream platform = Files.newInputStream(left)) {
            assertThat(in).hasSameClassAs(platform);
        }
        try (SeekableByteChannel channel = opener.newByteChannel(left, Set.of(READ))) {
            assertThat(channel).isNotInstanceOf(MioFileChannel.class);
        }
        try (InputStream in = opener.newInputStream(behind)) {
            assertThat(in).isInstanceOf(MioInputStream.class);
        }
    }

    @Test
    void shouldGiveLargeOnesLayersByEveryKindOfOpen() throws Exception {
        Files.write(left, filled('l', SMALL + 1));
        try (InputStream in = opener.newInputStream(left, READ)) {
            assertThat(in).isInstanceOf(MioInputStream.class);
            assertThat(in.readAllBytes()).isEqualTo(filled('l', SMALL + 1));
        }
        try (SeekableByteChannel channel = opener.newByteChannel(left, Set.of())) {
            assertThat(channel).isInstanceOf(MioFileChannel.class);
            assertThat(channel.size()).isEqualTo(SMALL + 1);
        }
        assertThat(PagesResourcesTest.descriptors(left)).isZero();
    }

    @Test
    void shouldBeReadAsAWholeByAThreadThatIsInterrupted() throws Exception {
        try (FileSystem mio =
                FileSystems.newFileSystem(
                        URI.create("mio://left/"), Map.of("files", "* [ pf/auto ]"))) {
            Path path = mio.getPath(left.toString());
            for (int length : new int[] {0, 1000, SMALL, SMALL + 1, 4 * SMALL}) {
                Files.write(left, filled('w', length));
                Thread.currentThread().interrupt();
                assertThat(Files.readAllBytes(path)).isEqualTo(filled('w', length));
                try (InputStream in = Files.newInputStream(path)) {
                    assertThat(in.readAllBytes()).isEqualTo(filled('w', length));
                }
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        assertThat(PagesResourcesTest.descriptors(left)).isZero();
    }

    @Test
    void shouldReadWhatWasOpenedWhenItsNameIsGone() throws Exception {
        Files.write(left, filled('g', SMALL + 1));
        Composer composer = new Composer(stacks("* [ pf/auto ]"), PageFiles.OF_PROCESS);
        InputStream in = Files.newInputStream(left);
        Files.delete(left);
        try (InputStream opened =
                new StreamOpener(composer).newInputStream(composer.rule(left), left, in)) {
            assertThat(opened).isSameAs(in);
            assertThat(opened.readAllBytes()).isEqualTo(filled('g', SMALL + 1));
        }
    }

    @Test
    @Tag("backends")
    void shouldHaveLayersIfAnotherOpenHasPages() throws Exception {
        try (FileChannel writer = open(behind, READ, WRITE)) {
            write(writer, 'p', 0);
            try (FileChannel reader = open(left, READ)) {
                assertThat(reader).isInstanceOf(MioFileChannel.class);
                reads(reader, 'p', 0);
                write(writer, 'q', 0);
                reads(reader, 'q', 0);
            }
            try (InputStream in = opener.newInputStream(left)) {
                assertThat(in.readNBytes(100)).isEqualTo(filled('q', 100));
            }
        }
        assertThat(hasLayers(left, READ)).isFalse();
    }

    @Test
    @Tag("backends")
    void shouldAgreeWithPagesThatComeLater() throws Exception {
        try (FileChannel reader = open(left, READ);
                FileChannel writer = open(behind, READ, WRITE)) {
            assertThat(reader).isNotInstanceOf(MioFileChannel.class);
            write(writer, 'p', 0);
            reads(reader, 'p', 0);
            write(writer, 'q', SMALL - 100);
            reads(reader, 'q', SMALL - 100);
        }
    }

    @Test
    @Tag("backends")
    void shouldAgreeWithPagesThoughTheNameIsALinkOfTheKernels() throws Exception {
        Path link = Path.of("/proc/self/root" + behind);
        assumeTrue(Files.isWritable(link), "no /proc/self/root");
        try (FileChannel paged = open(behind, READ, WRITE)) {
            write(paged, 'p', 0);
            try (FileChannel other = open(link, READ, WRITE)) {
                assertThat(other).isNotInstanceOf(MioFileChannel.class);
                reads(other, 'p', 0);
                write(other, 'q', 0);
                reads(paged, 'q', 0);
                write(paged, 'r', 0);
                reads(other, 'r', 0);
            }
            try (InputStream in = opener.newInputStream(link)) {
                assertThat(in.readNBytes(100)).isEqualTo(filled('r', 100));
            }
        }
    }

    static Stream<Named<GoldenCase>> cases() {
        return GoldenCase.readTwin("auto/left.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldMeanTheRulesOfTheGoldenCase(GoldenCase golden) {
        Stacks stacks = stacks("*.left [ pf/auto ]");
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        for (GoldenCase.Line line : golden.lines()) {
            if (line.key().equals("rule")) {
                StackSpec spec = StackSpec.parse("rule", line.value());
                found.add(stacks.leavesSmall(spec) ? "yes" : "no");
            } else {
                expected.add(line.value());
            }
        }
        assertThat(found).isNotEmpty().isEqualTo(expected);
    }

    @Test
    void shouldShowOpensToWhoeverWantsToSeeThem() {
        Stacks stacks =
                StackBuilder.load(
                        Map.of("files", "* [ pf/auto ]", "debug", "open"),
                        FileSystems.getDefault());
        assertThat(stacks.leavesSmall(StackSpec.parse("rule", "pf/auto"))).isFalse();
    }
}
