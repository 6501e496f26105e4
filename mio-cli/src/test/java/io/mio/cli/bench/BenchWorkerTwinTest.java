package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workers in Java and in C do the same. */
class BenchWorkerTwinTest {
    private static final Path PLANS =
            Path.of("../mio-core/src/test/resources/twin/bench/plans.txt");

    @TempDir Path dir;

    private record Case(String title, int files, String job, List<String> answer) {}

    private static List<Case> cases() throws Exception {
        List<Case> cases = new ArrayList<>();
        for (String text : Files.readString(PLANS).split("\n== ")) {
            if (text.startsWith("#")) {
                continue;
            }
            List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
            List<String> answer = new ArrayList<>();
            for (String line : lines.subList(3, lines.size())) {
                answer.add(line.startsWith("call: ") ? line.substring(6) : line.replace(":", ""));
            }
            answer.add("done");
            cases.add(
                    new Case(
                            lines.get(0),
                            Integer.parseInt(lines.get(1).substring("files: ".length())),
                            lines.get(2).substring("job: ".length()),
                            answer));
        }
        return cases;
    }

    private void checkCases(List<String> command) throws Exception {
        List<Case> cases = cases();
        assertThat(cases).hasSizeGreaterThan(15);
        for (int files = 1; files <= 2; files++) {
            int count = files;
            List<Case> own = cases.stream().filter(one -> one.files() == count).toList();
            List<String> wanted = own.stream().flatMap(one -> one.answer().stream()).toList();
            List<String> lines = own.stream().map(one -> "plan " + one.job()).toList();
            List<Path> names = java.util.Collections.nCopies(count, dir.resolve("x"));
            assertThat(Workers.answer(command, names, lines)).isEqualTo(wanted);
        }
    }

    @Test
    void shouldMakeTheCallsOfTheGoldenCasesInJava() throws Exception {
        checkCases(Workers.java());
    }

    @Test
    void shouldMakeTheCallsOfTheGoldenCasesInC() throws Exception {
        assumeThat(Workers.hasC()).as("worker in C").isTrue();
        checkCases(Workers.c(dir));
    }

    @Test
    void shouldLeaveTheSameBytesByTheSameCalls() throws Exception {
        assumeThat(Workers.hasC()).as("worker in C").isTrue();
        long seed = 7_002;
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            List<String> lines = lines(random, 1 + random.nextInt(3000), 1 + random.nextInt(60));
            int files = 1 + random.nextInt(2);
            List<Path> own = files("java" + round, files);
            List<Path> other = files("c" + round, files);
            List<String> java = Workers.answer(Workers.java(), own, lines);
            List<String> c = Workers.answer(Workers.c(dir), other, lines);
            assertThat(figures(java)).as("seed %d, %s", seed, lines).isEqualTo(figures(c));
            assertThat(figures(java)).hasSize(lines.size() / 2);
            for (int i = 0; i < files; i++) {
                assertThat(own.get(i))
                        .as("seed %d, %s", seed, lines)
                        .hasSameBinaryContentAs(other.get(i));
                assertThat(own.get(i)).isNotEmptyFile();
            }
        }
    }

    private List<Path> files(String name, int count) throws Exception {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(Files.createFile(dir.resolve(name + "." + i)));
        }
        return files;
    }

    /** Every test once, with content that is checked. */
    private static List<String> lines(Random random, int recordBytes, int records) {
        int threads = 2 + random.nextInt(3);
        List<String> lines = new ArrayList<>();
        for (BenchTest test : BenchTest.values()) {
            WorkerJob job =
                    new WorkerJob(
                            test,
                            recordBytes,
                            records,
                            threads,
                            0,
                            threads,
                            1 + random.nextInt(5),
                            random.nextLong(Long.MAX_VALUE),
                            random.nextInt(101),
                            1 + test.ordinal(),
                            0,
                            false,
                            random.nextBoolean(),
                            random.nextBoolean(),
                            true);
            // Content is of the seed: one for all.
            lines.add("run " + job.toLine().replaceFirst(" seed=\\d+", " seed=" + recordBytes));
            lines.add("go");
        }
        return lines;
    }

    /** What has to be the same: bytes, calls, and what records they were. */
    private static List<String> figures(List<String> answer) {
        assertThat(answer).noneMatch(line -> line.startsWith("failed") || line.startsWith("wrong"));
        List<String> figures = new ArrayList<>();
        for (int i = 0; i < answer.size(); i++) {
            if (answer.get(i).startsWith("result ")) {
                Sample sample = Sample.ofLines(answer.get(i), answer.get(i + 1));
                assertThat(sample.latency().count()).isEqualTo(sample.calls());
                assertThat(sample.elapsedNanos()).isPositive();
                figures.add(sample.bytes() + " " + sample.calls() + " " + sample.digest());
            }
        }
        return figures;
    }

    @Test
    void shouldFindAByteThatWasChangedInJava() throws Exception {
        checkChange(Workers.java());
    }

    @Test
    void shouldFindAByteThatWasChangedInC() throws Exception {
        assumeThat(Workers.hasC()).as("worker in C").isTrue();
        checkChange(Workers.c(dir));
    }

    /** A second worker is told what the first one wrote. */
    private void checkChange(List<String> command) throws Exception {
        Path file = Files.createFile(dir.resolve("changed.dat"));
        String write =
                new WorkerJob(
                                BenchTest.WRITE,
                                1000,
                                50,
                                1,
                                0,
                                1,
                                3,
                                9,
                                50,
                                5,
                                0,
                                false,
                                false,
                                false,
                                true)
                        .toLine();
        String read = write.replace("test=write", "test=backward").replace("known=0", "known=5");
        assertThat(Workers.answer(command, List.of(file), List.of("run " + write, "go")))
                .contains("done");
        assertThat(Workers.answer(command, List.of(file), List.of("run " + read, "go")))
                .contains("done");
        try (RandomAccessFile change = new RandomAccessFile(file.toFile(), "rw")) {
            change.seek(31_234);
            int before = change.read();
            change.seek(31_234);
            change.write(before ^ 1);
        }
        assertThat(Workers.answer(command, List.of(file), List.of("run " + read, "go")))
                .last()
                .asString()
                .startsWith("wrong " + file + ": byte 31234 is 0x");
        // Of another test: right bytes, but not the last ones that were written there.
        assertThat(
                        Workers.answer(
                                command,
                                List.of(file),
                                List.of("run " + read.replace("known=5", "known=4"), "go")))
                .last()
                .asString()
                .startsWith("wrong " + file + ": byte 49");
    }

    @Test
    void shouldSayWhatWentWrongInOneLine() throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(Workers.java()));
        if (Workers.hasC()) {
            commands.add(Workers.c(dir));
        }
        String read = Workers.job(BenchTest.READ, 100, 10).toLine();
        Path shorter = Files.write(dir.resolve("short.dat"), new byte[950]);
        for (List<String> command : commands) {
            assertThat(
                            Workers.answer(
                                    command,
                                    List.of(dir.resolve("no\nfile")),
                                    List.of("run " + read)))
                    .singleElement()
                    .asString()
                    .startsWith("failed ")
                    .contains("no?file");
            assertThat(Workers.answer(command, List.of(shorter), List.of("run " + read, "go")))
                    .last()
                    .asString()
                    .startsWith("failed ")
                    .endsWith(shorter + ": ends at 950");
            for (String wrong :
                    List.of(
                            "go",
                            "plan test=read",
                            "plan " + read.replace("test=read", "test=no"),
                            "plan " + read.replace("verify=0", "verify=2"),
                            "plan " + read.replace("record_bytes=100", "record_bytes=0"),
                            "plan " + read.replace("count=1", "count=2"),
                            "plan " + read.replace("seed=1", "seed=-1"),
                            "plan " + read.replace("file_records=10", "file_records=" + (1L << 62)),
                            "plan " + read + " more=1")) {
                assertThat(Workers.answer(command, List.of(shorter), List.of(wrong)))
                        .as(wrong)
                        .singleElement()
                        .asString()
                        .startsWith("failed line not understood: ");
            }
        }
    }

    @Test
    void shouldTakeEveryRecordOnceInEveryOrder() {
        for (BenchTest test : BenchTest.values()) {
            for (int records : new int[] {1, 2, 3, 16, 17, 255, 1000}) {
                WorkerJob job = Workers.job(test, 10, records);
                Sequence sequence = new Sequence(job, 0, 1);
                List<Long> taken = new ArrayList<>();
                while (sequence.next()) {
                    taken.add(sequence.record());
                    assertThat(sequence.offset()).isEqualTo(10 * sequence.record());
                }
                assertThat(taken).as("%s of %d", test, records).hasSize(records);
                if (test == BenchTest.RECORD_REWRITE) {
                    assertThat(taken).containsOnly(0L);
                } else {
                    assertThat(taken).doesNotHaveDuplicates().allMatch(r -> r >= 0 && r < records);
                }
            }
        }
    }

    @Test
    void shouldReadAsOftenAsTheMixSays() {
        WorkerJob job = Workers.job(BenchTest.MIXED, 10, 100_000);
        Sequence sequence = new Sequence(job, 0, 1);
        int writes = 0;
        while (sequence.next()) {
            writes += sequence.writes() ? 1 : 0;
        }
        // 70 % of 100000 reads, and ten times the standard deviation
        assertThat(writes).isBetween(30_000 - 1450, 30_000 + 1450);
    }
}
