package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.ClassicReport.Block;
import io.mio.cli.ClassicReport.Row;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassicReportTest {
    private static String text(String resource) throws IOException {
        try (InputStream in = ClassicReportTest.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<Block> blocks(String resource) throws IOException {
        return ClassicReport.parse(text(resource)).blocks();
    }

    @Test
    void shouldReadTheOriginalsTraceBlock() throws IOException {
        List<Block> blocks = blocks("original.stats");
        assertThat(blocks).hasSize(1);
        Block block = blocks.get(0);
        assertThat(block.above()).isEqualTo("program");
        assertThat(block.below()).isEqualTo("aix");
        assertThat(block.file()).isEqualTo("test.dat");
        assertThat(block.total()).isEqualTo(42000000);
        assertThat(block.seconds()).isEqualTo(1513.95);
        assertThat(block.rate()).isEqualTo(27741.92);
        assertThat(block.unit()).isEqualTo("kbytes");
        assertThat(block.demandRate()).isEqualTo(24912.42);
        assertThat(block.rows())
                .containsOnlyKeys("open", "write", "read", "seek", "fcntl", "close", "size")
                .containsEntry("write", new Row(140000, 238.16))
                .containsEntry("read", new Row(280000, 1275.79))
                .containsEntry("seek", new Row(140003, 11.45))
                .containsEntry("size", new Row(140000, 0));
    }

    @Test
    void shouldTellTheSuspendRowsAndTheTraceBlocksApart() throws IOException {
        List<Block> blocks = blocks("original-pf.stats");
        assertThat(blocks).extracting(Block::above).containsExactly("pf", "program");
        assertThat(blocks).extracting(Block::below).containsExactly("aix", "pf");
        assertThat(blocks.get(0).rows())
                .containsEntry("awrite suspend", new Row(6835, 219.01))
                .containsEntry("aread suspend", new Row(13619, 397.59))
                .containsEntry("seek", new Row(20458, 0));
        assertThat(blocks.get(1).rows()).hasSize(7);
    }

    @Test
    void shouldReadTheOriginalsPfBlocks() throws IOException {
        List<PfBlock> blocks = ClassicReport.parse(text("original-pf.stats")).pfBlocks();
        assertThat(blocks).hasSize(2);
        assertThat(blocks.get(0))
                .isEqualTo(
                        new PfBlock(
                                "close",
                                "",
                                "test.dat",
                                50,
                                2097152,
                                4096,
                                6840,
                                6840,
                                7,
                                20459,
                                4,
                                6835,
                                0,
                                0,
                                "bytes",
                                new PfBlock.Transfer(14336000000L, 140000),
                                new PfBlock.Transfer(14336000000L, 6836),
                                new PfBlock.Transfer(28672000000L, 280000),
                                new PfBlock.Transfer(28567273472L, 13622),
                                "aix",
                                null));
        assertThat(blocks.get(0).isOfFile()).isTrue();
        assertThat(blocks.get(1).of()).isEqualTo("global cache 0");
        assertThat(blocks.get(1).isOfFile()).isFalse();
        assertThat(blocks.get(1).distance()).isZero();
    }

    @Test
    void shouldReadABlockOfPfAtTheEndAndPassOverLinesItDoesNotKnow() throws IOException {
        String text = text("original-pf.stats");
        int start = text.indexOf("pf close for test.dat");
        String block = text.substring(start, text.indexOf("\n\n", start));
        String more = block.replace("6835 write behinds", "6835 write behinds\n   3 of a new kind");
        assertThat(ClassicReport.parse(more).pfBlocks())
                .isEqualTo(ClassicReport.parse(text).pfBlocks().subList(0, 1));
        assertThat(ClassicReport.parse(more).blocks()).isEmpty();
    }

    @Test
    void shouldRefuseAPfBlockThatLacksALine() throws IOException {
        String text = text("original-pf.stats").replace("write behinds", "");
        assertThatThrownBy(() -> ClassicReport.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pf close for test.dat", "write behinds");
    }

    @Test
    void shouldTakeAFileNameWithColonsAndBrackets() {
        String title =
                "Trace close : program <-> os : a : (b <-> c : (1/2)=3 : (10/2.50)=4.00 bytes/s";
        Block block = ClassicReport.parse(title).blocks().get(0);
        assertThat(block.below()).isEqualTo("os");
        assertThat(block.file()).isEqualTo("a : (b <-> c : (1/2)=3");
        assertThat(block.total()).isEqualTo(10);
        assertThat(block.unit()).isEqualTo("bytes");
    }

    @Test
    void shouldFindNothingInATextWithoutBlocks() {
        assertThat(ClassicReport.parse("").blocks()).isEmpty();
        assertThat(ClassicReport.parse("MIO statistics file : today\n").blocks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", ": (3/0.50)=6.00 bytes/s"})
    void shouldRefuseATitleWithoutFiguresOrName(String end) {
        assertThatThrownBy(() -> ClassicReport.parse("Trace close : program <-> os : " + end))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("program <-> os");
    }
}
