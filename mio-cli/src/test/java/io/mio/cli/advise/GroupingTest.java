package io.mio.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.mio.config.MioConfig;
import io.mio.config.NamePattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void shouldSeeThatATemplateFitsOthersWhereverItsStarIs() {
        NameIndex index =
                new NameIndex(
                        Stream.of("/d/a.dat", "/d/b.dat", "/e/a.dat", "/e/f/c.bin", "x")
                                .map(FileProfile::new)
                                .toList());

        for (String fits : List.of("a.dat", "*.dat", "?.*", "/d/*", "/*/a.dat", "**.bin", "x")) {
            assertThat(index.isOnly(fits, List.of())).as(fits).isFalse();
        }
        for (String fits : List.of("a", "a.dat2", "/d/c*", "y?", "/e/*.bin", "")) {
            assertThat(index.isOnly(fits, List.of())).as(fits).isTrue();
        }
    }

    @Test
    void shouldNameManyFilesInShortTime() {
        List<FileProfile> files = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            String directory = "/tree/directory-of-some-length-" + Integer.toHexString(i / 20);
            String name = Integer.toString(i * 31 + 7, 36).replaceAll("[0-9]", "x");
            files.add(new FileProfile(directory + '/' + name + '.' + Integer.toHexString(i)));
        }

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Grouping.of(files));
    }

    @ParameterizedTest
    @CsvSource({
        "bad\uFFFD\uFFFD.dat, bad*.dat",
        "\uFFFD, /d/*",
        "a*\uFFFD*b, a*b",
        "\uFFFD?, /d/*?",
        "'nl\nx.dat', nl?x.dat",
        "'esc\u001b[31mred', {esc?[31mred}",
        "'turned\u202e', turned?",
        "a}b{c, a?b?c",
        "a{b}c, {a{b}c}",
        "\u65e5\u672c\ud83c\udf89, \u65e5\u672c\ud83c\udf89",
    })
    void shouldNameFilesSoThatALineOfThemFits(String name, String typed) {
        Group group = Grouping.of(List.of(new FileProfile("/d/" + name))).get(0);

        assertThat(group.typed()).isEqualTo(typed);
        MioConfig config = MioConfig.load(Map.of("files", typed + " [ auto ]"), Map.of());
        // The byte of a name that is no UTF-8 may be more than one.
        String real = name.replace("\uFFFD", "\uFFFD\uFFFD");
        assertThat(config.match("/d/" + real)).isNotNull();
        assertThat(config.match("/e/" + real + "/x")).isNull();
    }

    @Test
    void shouldNotTakeAnEscapeOfAReportForTheName() {
        assertThat(Typable.of(Typable.ofReport("nl\\012x\\177"))).isEqualTo("nl*x*");
        assertThat(Typable.of(Typable.ofReport("d\\377x\\303\\050"))).isEqualTo("d*x*");
        assertThat(Typable.ofReport("back\\slash\\777")).isEqualTo("back\\slash\\777");
    }
}
