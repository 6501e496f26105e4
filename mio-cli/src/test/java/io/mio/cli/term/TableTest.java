package io.mio.cli.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Terminal COLOURED = new Terminal(true, true, 40, true, true);

    @Test
    void shouldAlignWordsLeftAndNumbersRight() {
        Table table = new Table().name("file").right("calls").left("kind");
        table.row("a.dat", "7", "read").row("long name", null, "w");
        assertThat(table.lines(Terminal.NONE))
                .containsExactly(
                        "file       calls  kind", //
                        "a.dat          7  read",
                        "long name      -  w");
    }

    @Test
    void shouldCutTheMiddleOfNamesWhereTheTerminalIsNarrow() {
        Table table = new Table().right("calls").name("file");
        table.row("1234567", "/scratch/project/run7/matrix.dat");
        assertThat(table.lines(Terminal.NONE.withColumns(30)))
                .containsExactly(
                        "  calls  file", //
                        "1234567  /scrat...7/matrix.dat");
    }

    @Test
    void shouldMakeCellsSafeBeforeItAddsStyles() {
        Table table = new Table().name("file");
        table.row(Style.BAD, "a\033[2Jb\n\u202ecd\u009b1m\ud800");
        assertThat(table.lines(COLOURED))
                .containsExactly(
                        "\033[1mfile\033[0m",
                        "\033[31ma\\033[2Jb\\012\\u202ecd\\2331m\\ud800\033[0m");
    }

    @Test
    void shouldCountWideAndCombiningCharacters() {
        assertThat(SafeText.columns("日本e\u0301")).isEqualTo(5);
        assertThat(SafeText.shorten("日本日本日本", 9)).isEqualTo("日...日本");
        assertThat(SafeText.shorten("abc", 2)).isEqualTo("..");
        assertThat(SafeText.of("日本 é")).isEqualTo("日本 é");
    }

    @Test
    void shouldRefuseRowsOfOtherLength() {
        assertThatThrownBy(() -> new Table().left("a").row("1", "2"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKnowTheTerminalFromLauncherAndEnvironment() {
        Map<String, String> on =
                Map.of(
                        Terminal.OUT_PROPERTY,
                        "true",
                        Terminal.COLUMNS_PROPERTY,
                        "120",
                        "native.encoding",
                        "ANSI_X3.4-1968");
        assertThat(Terminal.of(Map.of("TERM", "xterm"), on))
                .isEqualTo(new Terminal(true, false, 120, true, false));
        assertThat(Terminal.of(Map.of("TERM", "xterm", "NO_COLOR", "1"), on).colours()).isFalse();
        assertThat(Terminal.of(Map.of(), on).colours()).isFalse();
        assertThat(Terminal.of(Map.of("COLUMNS", "3"), on).columns()).isEqualTo(40);
        assertThat(Terminal.of(Map.of("COLUMNS", "x"), on).columns()).isEqualTo(120);
        assertThat(Terminal.of(Map.of("TERM", "xterm"), Map.of("native.encoding", "UTF-8")))
                .isEqualTo(Terminal.NONE);
    }
}
