package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LabelsTest {
    private static List<String> labels(String... inputs) {
        return Labels.of(Stream.of(inputs).map(Path::of).toList());
    }

    @Test
    void shouldBeTheNameOfTheFile() {
        assertThat(labels("/a/before.mio", "b/after.mio"))
                .containsExactly("before.mio", "after.mio");
    }

    @Test
    void shouldHaveAsManyDirectoriesAsTellRunsApart() {
        assertThat(labels("/x/before/run.mio", "/x/after/run.mio", "/x/other.mio"))
                .containsExactly("before/run.mio", "after/run.mio", "other.mio");
        assertThat(labels("/x/a/same/run.mio", "/x/b/same/run.mio"))
                .containsExactly("a/same/run.mio", "b/same/run.mio");
    }

    @Test
    void shouldNumberAFileThatIsGivenTwice() {
        assertThat(labels("run.mio", "./run.mio")).containsExactly("run.mio (1)", "run.mio (2)");
        assertThat(labels("/a/run.mio", "/a/run.mio", "/b/run.mio"))
                .containsExactly("a/run.mio (1)", "a/run.mio (2)", "b/run.mio");
    }

    @Test
    void shouldDifferWhateverTheNamesAre() {
        assertThat(labels("a", "a", "a (1)", "/a", "b/a")).doesNotHaveDuplicates();
    }
}
