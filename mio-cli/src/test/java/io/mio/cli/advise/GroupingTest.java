package io.mio.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.NamePattern;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GroupingTest {
    private static List<String> names(String... paths) {
        List<Group> groups = Grouping.of(Stream.of(paths).map(FileProfile::new).toList());
        for (Group group : groups) {
            for (FileProfile file : group.files()) {
                assertThat(group.names()).anyMatch(name -> NamePattern.of(name).matches(file.path));
            }
        }
        return groups.stream().map(Group::shown).toList();
    }

    @Test
    void shouldKnowFilesThatDifferInNumbers() {
        assertThat(names("/d/run-1.srt", "/d/run-2.srt", "/d/run-13.srt"))
                .containsExactly("run-*.srt");
        assertThat(names("/d/run-8.srt", "/d/run-81.srt", "/d/run-818.srt"))
                .containsExactly("run-*.srt");
    }

    @Test
    void shouldKnowTemporaryNames() {
        assertThat(names("/tmp/sortQ3xZ1p", "/tmp/sortab4PPo", "/tmp/sortzz9Qrs", "/tmp/in"))
                .containsExactlyInAnyOrder("sort*", "in");
        assertThat(names("x.part.aa", "x.part.ab", "x.part.ac")).containsExactly("x.part.*");
    }

    @Test
    void shouldKnowFilesByTheirExtension() {
        assertThat(names("/i/_a.fdt", "/i/_bc.fdt", "/i/_x.fdt")).containsExactly("_*.fdt");
        assertThat(names("/i/left.dat", "/i/right.dat", "/i/upper.dat")).containsExactly("*.dat");
    }

    @Test
    void shouldNotPutTwoTogether() {
        assertThat(names("/d/a1", "/d/a2")).containsExactlyInAnyOrder("a1", "a2");
    }

    @Test
    void shouldNameTheDirectoryWhereOthersHaveTheSameName() {
        assertThat(names("/d/a.dat", "/e/a.dat")).containsExactly("/d/a.dat", "/e/a.dat");
        assertThat(names("/d/a.dat", "/e/b.dat")).containsExactly("a.dat", "b.dat");
    }

    @Test
    void shouldPutNamesInBracesThatRulesCannotHaveOtherwise() {
        List<Group> groups = Grouping.of(List.of(new FileProfile("/d/my [1]:x")));

        assertThat(groups.get(0).typed()).isEqualTo("{my [1]:x}");
    }
}
