package io.mio.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.MioConfig;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarningsTest {
    private static final MachineMemory MEMORY = new MachineMemory(1L << 30, "the test's memory");

    @TempDir Path dir;

    private final Map<String, String> options = new HashMap<>(Map.of("stats", "stdout"));

    @Test
    void shouldHaveNothingToSayAboutAnOrdinaryConfiguration() {
        assertThat(
                        warnings(
                                "*.jar [ os ] *.dat:*.scr [ trace/kbytes |"
                                        + " pf/cache=100m/page=2m/pref=4 ] /scratch/** [ trace ]"))
                .isEmpty();
    }

    @Test
    void shouldSayThatARuleCanNeverMatch() {
        assertThat(warnings("*.a [ os ] * [ trace ] *.dat:x [ os ] **/y [ os ]"))
                .satisfiesExactly(
                        third -> {
                            assertThat(third.id()).isEqualTo("rule_never_matches");
                            assertThat(third.rule()).isEqualTo(3);
                            assertThat(third.text()).contains("rule 2 takes every name");
                        },
                        fourth -> assertThat(fourth.rule()).isEqualTo(4));
    }

    @Test
    void shouldSayThatTheRulesBeforeTakeEverythingTogether() {
        assertThat(warnings("*.a [ os ] *.b [ os ] x.a:x.b [ trace ]"))
                .singleElement()
                .satisfies(
                        it -> {
                            assertThat(it.id()).isEqualTo("rule_never_matches");
                            assertThat(it.text()).contains("the rules before it take");
                        });
    }

    @Test
    void shouldSayThatOneNameOfARuleCanNeverMatch() {
        assertThat(warnings("*.a [ os ] x.a:x.b [ trace ]"))
                .singleElement()
                .satisfies(
                        it -> {
                            assertThat(it.id()).isEqualTo("name_never_matches");
                            assertThat(it.rule()).isEqualTo(2);
                            assertThat(it.text()).contains("the name x.a can never match");
                        });
    }

    @Test
    void shouldSayThatAPlanIsNotThereOrIsOfOtherFiles() throws Exception {
        Path events = dir.resolve("x.events");
        assertThat(ids("* [ trace | pf/plan={" + events + "} ]"))
                .containsExactly("plan_not_readable");
        Path data = Files.write(dir.resolve("data"), new byte[10]);
        try (FileSystem mio =
                        FileSystems.newFileSystem(
                                URI.create("mio://warnings/"),
                                Map.of("files", "* [ trace/events={" + events + "} ]"));
                FileChannel file = FileChannel.open(mio.getPath(data.toString()))) {
            file.read(ByteBuffer.allocate(10));
        }
        Path moved = Files.copy(events, dir.resolve("y.events"));
        assertThat(ids("*.dat [ trace | pf/plan={" + moved + "} ]"))
                .containsExactly("plan_without_files");
        assertThat(ids("data [ trace | pf/plan={" + moved + "} ]")).isEmpty();
    }

    @Test
    void shouldSayThatANameIsRelativeOrNotExpanded() {
        assertThat(ids("data/*.x [ trace ]")).containsExactly("name_is_relative");
        assertThat(ids("./x [ trace ]")).containsExactly("name_is_relative");
        assertThat(ids("~/x [ trace ]")).containsExactly("name_not_expanded");
        assertThat(ids("$HOME/x [ trace ]")).containsExactly("name_not_expanded");
        assertThat(ids("/data/ [ trace ]")).containsExactly("name_of_directory");
        assertThat(ids("**/x:/a/*:b [ trace ]")).isEmpty();
    }

    @Test
    void shouldSayThatTheCacheIsSmallerThanTheDistance() {
        assertThat(ids("* [ pf/cache=8m/page=2m/pref=4 ]"))
                .containsExactly("cache_smaller_than_distance");
        assertThat(ids("* [ pf/cache=10m/page=2m/pref=4 ]")).isEmpty();
        assertThat(ids("* [ pf/cache=10m/page=2m/pref=1:5 ]"))
                .containsExactly("cache_smaller_than_distance");
        assertThat(ids("* [ pf/cache=10m/page=2m/pref=auto ]")).isEmpty();
        // Pages of 5000 bytes take 8192 bytes each.
        assertThat(ids("* [ pf/cache=40k/page=5000/pref=5 ]"))
                .containsExactly("cache_smaller_than_distance", "page_not_of_sectors");
    }

    @Test
    void shouldSayWhatAnOpenThatChoosesByItselfDoesNotLookAt() {
        assertThat(ids("* [ pf/auto/cache=8m ]")).containsExactly("auto_without_pages");
        assertThat(ids("* [ pf/auto/streams=4/kbytes/inter/tag={x}/stats={y} ]")).isEmpty();
        assertThat(ids("* [ pf/auto/nostats ]")).isEmpty();
    }

    @Test
    void shouldSayThatPagesAreNoMultipleOfASector() {
        assertThat(ids("* [ pf/cache=1m/page=12k | os/sector=8k ]"))
                .containsExactly("page_not_of_sectors");
        assertThat(ids("* [ pf/cache=1m/page=16k | os/sector=8k ]")).isEmpty();
    }

    @Test
    void shouldSayThatNothingShowsWhatACacheDoes() {
        assertThat(ids("* [ pf/nostats ]")).containsExactly("cache_without_report");
        assertThat(ids("* [ trace/nostats | pf/nostats ]")).containsExactly("cache_without_report");
        assertThat(ids("* [ trace | pf/nostats ]")).isEmpty();
        assertThat(ids("* [ pf ]")).isEmpty();
    }

    @Test
    void shouldSayThatReportsGoNowhere() {
        options.remove("stats");
        options.put("debug", "open");
        assertThat(warnings("*.a [ trace ] *.b [ trace/stats=stderr ] *.c [ pf ]"))
                .satisfiesExactly(
                        mute -> {
                            assertThat(mute.id()).isEqualTo("stats_not_set");
                            assertThat(mute.text()).contains("rule 1, 3 ");
                        },
                        debug -> assertThat(debug.id()).isEqualTo("debug_without_stats"));
        options.put("debug", "abort match");
        assertThat(ids("*.b [ trace/nostats ]")).isEmpty();
    }

    @Test
    void shouldSayThatAReportCannotBeWritten() throws Exception {
        Path file = Files.createFile(dir.resolve("file"));
        expectStats(dir + "/absent/x.stats", "there is no directory " + dir + "/absent");
        expectStats(dir.toString(), "this is a directory");
        expectStats(file + "/x.stats", "is no directory");
        expectStats("+", "no name");
        expectStats(dir + "/%h.%p.stats", null);
        expectStats("+" + file, null);
        expectStats(dir + "/%x/absent", null);
        options.put("stats", "stderr");
        assertThat(ids("* [ trace/stats={" + dir + "/absent/y} ]"))
                .containsExactly("stats_not_writable");
    }

    @Test
    void shouldSayThatEventsCannotBeWritten() throws Exception {
        options.put("stats", "stderr");
        expectEvents(dir + "/absent/x.mio", "there is no directory " + dir + "/absent");
        expectEvents(dir.toString(), "this is a directory");
        expectEvents(dir + "/%p.mio", null);
        Path file = Files.writeString(dir.resolve("letter"), "Dear reader,");
        expectEvents(file.toString(), "what is there is no events file");
        expectEvents(Files.writeString(dir.resolve("old"), "MIOEVENT...").toString(), null);
        expectEvents(Files.write(dir.resolve("begun"), new byte[100]).toString(), null);
        expectEvents(Files.createFile(dir.resolve("empty")).toString(), null);
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("old"));
        expectEvents(link.toString(), "what is there is a symbolic link");
    }

    private void expectEvents(String place, String problem) {
        List<Warning> warnings = warnings("*.a:*.b [ trace/events={" + place + "} ]");
        if (problem == null) {
            assertThat(warnings).isEmpty();
            return;
        }
        assertThat(warnings).extracting(Warning::id).containsExactly("events_not_writable");
        assertThat(warnings.get(0).text()).contains("events={" + place + "}", problem);
    }

    private void expectStats(String place, String problem) {
        options.put("stats", place);
        List<Warning> warnings = warnings("* [ trace ]");
        if (problem == null) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings)
                    .singleElement()
                    .satisfies(
                            it -> {
                                assertThat(it.id()).isEqualTo("stats_not_writable");
                                assertThat(it.text()).contains("--stats=" + place, problem);
                            });
        }
    }

    @Test
    void shouldSayThatCachesAreLargerThanMemory() {
        assertThat(ids("*.a [ pf/cache=500m/page=1m ] *.b [ pf/cache=400m/page=1m/global=1 ]"))
                .containsExactly("caches_larger_than_memory");
        // Both rules share one cache.
        assertThat(ids("*.a [ pf/cache=500m/page=1m ] *.b [ pf/cache=500m/page=1m ]")).isEmpty();
        assertThat(warnings("*.a [ pf/cache=1024g/page=1m/private ]"))
                .singleElement()
                .satisfies(
                        it ->
                                assertThat(it.text())
                                        .contains("at least 1.00 TiB", "the test's memory is 1"));
    }

    @Test
    void shouldSayThatRulesGiveASharedCacheDifferentSizes() {
        assertThat(warnings("*.a [ pf/cache=1m/page=64k ] *.b [ pf/cache=2m/page=64k ]"))
                .singleElement()
                .satisfies(
                        it -> {
                            assertThat(it.id()).isEqualTo("shared_cache_sizes_differ");
                            assertThat(it.rule()).isEqualTo(2);
                            assertThat(it.text()).contains("rule 1", "2.00 MiB", "1.00 MiB");
                        });
        assertThat(ids("*.a [ pf/cache=1m/private ] *.b [ pf/cache=2m/private ]")).isEmpty();
    }

    private List<String> ids(String files) {
        return warnings(files).stream().map(Warning::id).toList();
    }

    private List<Warning> warnings(String files) {
        options.put("files", files);
        return Warnings.of(MioConfig.of(options), MEMORY);
    }
}
