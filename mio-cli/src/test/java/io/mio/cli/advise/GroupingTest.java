package io.mio.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.mio.config.MioConfig;
import io.mio.config.NamePattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupingTest {
    private static List<String> names(String... paths) {
        List<Group> groups =
                Grouping.of(Stream.of(paths).map(FileProfile::new).toList(), List.of());
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

    private static FileProfile used(String path, boolean writes) {
        FileProfile file = new FileProfile(path);
        file.readBytes = writes ? 0 : 1;
        file.writtenBytes = writes ? 1 : 0;
        return file;
    }

    @Test
    void shouldKeepFilesApartThatAreNotUsedAlike() {
        List<FileProfile> files = new ArrayList<>();
        for (int i = 0; i < 18; i++) {
            FileProfile file = new FileProfile("/d/part-" + i + ".dat");
            file.readBytes = i >= 3 ? 1 : 0;
            file.writtenBytes = i >= 3 && i < 6 ? 1 : 0;
            file.writtenElsewhere = i >= 6 && i < 9;
            file.counted = i < 9 || i >= 12;
            file.patterns[i < 15 ? 0 : 3] = 1;
            files.add(file);
        }

        assertThat(Grouping.of(files, List.of()))
                .extracting(group -> group.files().size())
                .containsExactly(3, 3, 3, 3, 3, 3);
    }

    @Test
    void shouldAddUpWhatIsDoneWithTheFilesOfAGroup() {
        List<FileProfile> files = new ArrayList<>();
        for (long i = 1; i <= 3; i++) {
            FileProfile file = new FileProfile("/d/part-" + i + ".dat");
            file.opens = i;
            file.sizeBytes = 10 * i;
            file.reads = 20 * i;
            file.writes = 30 * i;
            file.readBytes = 40 * i;
            file.writtenBytes = 50 * i;
            file.readNanos = 60 * i;
            file.writeNanos = 70 * i;
            file.otherNanos = 80 * i;
            file.waitedReads = 90 * i;
            file.waitedNanos = 100 * i;
            file.mmaps = 110 * i;
            file.locks = 120 * i;
            file.nanosOff = 130 * i;
            file.writtenElsewhere = true;
            file.patterns[1] = 140 * i;
            file.counted = false;
            file.timed = i != 2;
            file.patterned = i != 3;
            files.add(file);
        }

        FileProfile sum = Grouping.of(files, List.of()).get(0).sum();

        assertThat(
                        List.of(
                                sum.opens,
                                sum.sizeBytes / 10,
                                sum.reads / 20,
                                sum.writes / 30,
                                sum.readBytes / 40,
                                sum.writtenBytes / 50,
                                sum.readNanos / 60,
                                sum.writeNanos / 70,
                                sum.otherNanos / 80,
                                sum.waitedReads / 90,
                                sum.waitedNanos / 100,
                                sum.mmaps / 110,
                                sum.locks / 120,
                                sum.nanosOff / 130,
                                sum.patterns[1] / 140))
                .containsOnly(6L);
        assertThat(sum.ioNanos()).isEqualTo(6 * (60 + 70 + 80));
        assertThat(sum.bytes()).isEqualTo(6 * (40 + 50));
        assertThat(sum.writtenElsewhere).isTrue();
        assertThat(sum.counted || sum.timed || sum.patterned).isFalse();
    }

    @Test
    void shouldNameFilesOneByOneWhereATemplateFitsOthers() {
        List<FileProfile> files = new ArrayList<>();
        for (int i = 0; i < 13; i++) {
            files.add(used(String.format("/d/part-%02d.dat", i), i >= 10));
        }

        List<Group> groups = Grouping.of(files, List.of());

        assertThat(groups).hasSize(2).allMatch(Group::isNamed);
        assertThat(groups.get(0).names()).hasSize(10).contains("/d/part-09.dat");
        assertThat(groups.get(1).names())
                .containsExactly("/d/part-10.dat", "/d/part-11.dat", "/d/part-12.dat");
    }

    @Test
    void shouldKnowThatTooManyFilesHaveNoNamesOfTheirOwn() {
        List<FileProfile> files = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            files.add(used("/d/part-" + i + ".dat", false));
        }

        assertThat(Grouping.of(files, List.of()).get(0).isNamed()).isTrue();
        // Nobody has looked at that one.
        Group group = Grouping.of(files, List.of("/d/part-100.dat", "/e/b.dat")).get(0);
        assertThat(group.other()).isEqualTo("/d/part-100.dat");
        assertThat(Words.alone(group, 0, List.of(), 0, null)).isEqualTo(Words.NO_CALLS);
        group.sum().reads = 1;
        group.sum().readNanos = 1;
        assertThat(Words.alone(group, 1, List.of(), 0, null))
                .isEqualTo(
                        "no name fits these files alone: a rule would be that of /d/part-100.dat as"
                                + " well");
    }

    @Test
    void shouldSeeThatANameByItselfFitsAnotherFile() {
        // A program in another directory opened the file so: no name with a directory fits it.
        Group group = Grouping.of(List.of(used("a.dat", false)), List.of("/e/a.dat")).get(0);

        assertThat(group.isNamed()).isFalse();
    }

    @Test
    void shouldPutNamesInBracesThatRulesCannotHaveOtherwise() {
        List<Group> groups = Grouping.of(List.of(new FileProfile("/d/my [1]:x")), List.of());

        assertThat(groups.get(0).typed()).isEqualTo("{my [1]:x}");
    }

    @Test
    void shouldSeeThatATemplateFitsOthersWhereverItsStarIs() {
        NameIndex index =
                new NameIndex(List.of("/d/a.dat", "/d/b.dat", "/e/a.dat", "/e/f/c.bin", "x"));

        for (String fits : List.of("a.dat", "*.dat", "?.*", "/d/*", "/*/a.dat", "**.bin", "x")) {
            assertThat(index.other(fits, Set.of())).as(fits).isNotNull();
        }
        for (String fits : List.of("a", "a.dat2", "/d/c*", "y?", "/e/*.bin", "")) {
            assertThat(index.other(fits, Set.of())).as(fits).isNull();
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

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Grouping.of(files, List.of()));
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
        Group group = Grouping.of(List.of(new FileProfile("/d/" + name)), List.of()).get(0);

        assertThat(group.typed()).isEqualTo(typed);
        MioConfig config = MioConfig.of(Map.of("files", typed + " [ auto ]"));
        // One replacement character may stand for more than one byte that is no UTF-8.
        String real = name.replace("\uFFFD", "\uFFFD\uFFFD");
        assertThat(config.match("/d/" + real)).isNotNull();
        assertThat(config.match("/e/" + real + "/x")).isNull();
    }

    @Test
    void shouldLoseNoneOfTheFilesWhoseNamesCannotBeTold() {
        // Two files of a report whose names differ in a byte that is no UTF-8.
        List<FileProfile> files = List.of(used("/d/a\uFFFD", false), used("/d/a\uFFFD", true));
        List<FileProfile> alike = List.of(used("/d/b\uFFFD", false), used("/d/b\uFFFD", false));

        Group both = Grouping.of(files, List.of()).get(0);
        Group same = Grouping.of(alike, List.of()).get(0);

        assertThat(both.files()).hasSize(2);
        assertThat(both.sum().access()).isEqualTo(FileProfile.Access.BOTH);
        assertThat(same.files()).hasSize(2);
        assertThat(same.sum().readBytes).isEqualTo(2);
        assertThat(same.sum().files).isEqualTo(2);
        assertThat(same.typed()).isEqualTo("b*");
    }

    @Test
    void shouldNotTakeAnEscapeOfAReportForTheName() {
        assertThat(Typable.of(Typable.ofReport("nl\\012x\\177"))).isEqualTo("nl*x*");
        assertThat(Typable.of(Typable.ofReport("d\\377x\\303\\050"))).isEqualTo("d*x*");
        assertThat(Typable.ofReport("back\\slash\\777")).isEqualTo("back\\slash\\777");
    }
}
