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

class ClassicReportTest {
    private static List<Block> blocks(String resource) throws IOException {
        try (InputStream in = ClassicReportTest.class.getResourceAsStream(resource)) {
            return ClassicReport.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .blocks();
        }
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
    void shouldTellTheSuspendRowsApartAndPassOverThePfBlock() throws IOException {
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

    @Test
    void shouldRefuseATitleWithoutFigures() {
        assertThatThrownBy(() -> ClassicReport.parse("Trace close : program <-> os : x\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("program <-> os");
    }
}
