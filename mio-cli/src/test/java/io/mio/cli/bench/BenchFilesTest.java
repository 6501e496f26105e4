package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what was made is removed, whatever is in its place now. */
class BenchFilesTest {
    @TempDir Path dir;

    private Path file;
    private Path other;
    private BenchFiles files;

    @BeforeEach
    void name() throws IOException {
        file = dir.resolve("a.dat");
        other = Files.writeString(dir.resolve("other"), "of the user");
        files = BenchFiles.named(List.of(file), 1, true);
    }

    @Test
    void shouldRemoveWhatItHasMade() throws IOException {
        files.makeAnew();
        Files.writeString(file, "measured");
        files.makeAnew();
        assertThat(file).isEmptyFile();
        files.check();
        files.remove();
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldLeaveAFileThatSomebodyElseMadeFirst() throws IOException {
        Files.writeString(file, "of the user");
        assertThatThrownBy(files::makeAnew).hasMessageContaining("somebody else has made it");
        files.remove();
        assertThat(file).hasContent("of the user");
    }

    @Test
    void shouldLeaveALinkThatSomebodyElseMadeFirst() throws IOException {
        Files.createSymbolicLink(file, dir.resolve("nowhere"));
        assertThatThrownBy(files::makeAnew).hasMessageContaining("somebody else has made it");
        files.remove();
        assertThat(file).isSymbolicLink();
        assertThat(dir.resolve("nowhere")).doesNotExist();
    }

    @Test
    void shouldLeaveWhatHasReplacedItsFile() throws IOException {
        files.makeAnew();
        Files.move(file, dir.resolve("moved"));
        Files.move(other, file);
        assertThatThrownBy(files::check).hasMessageContaining("somebody else has replaced it");
        assertThatThrownBy(files::makeAnew).hasMessageContaining("somebody else has replaced it");
        files.remove();
        assertThat(file).hasContent("of the user");
    }

    @Test
    void shouldLeaveALinkInPlaceOfItsFile() throws IOException {
        files.makeAnew();
        Files.delete(file);
        Files.createSymbolicLink(file, other);
        assertThatThrownBy(files::remove).hasMessageContaining("somebody else has replaced it");
        assertThat(file).isSymbolicLink();
        assertThat(other).hasContent("of the user");
    }

    @Test
    void shouldUndoNothingThatAStepHasNotDone() throws Exception {
        Files.writeString(file, "of the user");
        Cleanup cleanup = new Cleanup();
        assertThatThrownBy(
                        () ->
                                cleanup.begin(
                                        () -> {
                                            files.makeAnew();
                                            return null;
                                        },
                                        files::remove))
                .hasMessageContaining("somebody else has made it");
        assertThat(cleanup.all()).isEmpty();
        assertThat(file).hasContent("of the user");
    }

    @Test
    void shouldCountTheFilesThatAreOpen() {
        BenchOptions options = Example.options(List.of(Example.PLAIN), BenchTest.READ);
        // 100 descriptors, the file and three pipes.
        assertThatCode(() -> Descriptors.check(options, 104)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Descriptors.check(options, 103))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("104 open files, of which 103 are allowed");
        assertThat(Descriptors.limit()).isPositive();
    }

    @Test
    void shouldGiveEachConfigurationsReportsANameOfTheirOwn() {
        List<Configuration> configurations =
                List.of(
                        new Configuration("a b", ""),
                        new Configuration("a_b", ""),
                        new Configuration("a/b", ""),
                        new Configuration("c", ""));
        assertThat(KeptReports.names(configurations)).containsExactly("a_b", "a_b_2", "a_b_3", "c");
    }
}
