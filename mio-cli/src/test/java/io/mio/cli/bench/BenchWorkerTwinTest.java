package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The workers in Java and in C must do the same. */
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
            List<Path> names = Collections.nCopies(count, dir.resolve("x"));
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
            int recordBytes = 1 + random.nextInt(round < 3 ? 3000 : 9000);
            List<String> lines = lines(random, recordBytes, 1 + random.nextInt(99), round % 2 == 0);
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

    /** Jobs that run every test once. */
    private static List<String> lines(Random random, int recordBytes, int records, boolean verify) {
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
                            verify);
            // The content depends on the seed: all tests have the same.
            lines.add("run " + job.toLine().replaceFirst(" seed=\\d+", " seed=" + recordBytes));
            lines.add("go");
        }
        return lines;
    }

    /** The figures that must be equal: bytes, calls, and which records they were. */
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

    /** A second worker is told what the first one wrote, and must find a byte that was changed. */
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
        // Told of another test, the worker finds bytes that are not the last ones written there.
        assertThat(
                        Workers.answer(
                                command,
                                List.of(file),
                                List.of("run " + read.replace("known=5", "known=4"), "go")))
                .last()
                .asString()
                .startsWith("wrong " + file + ": byte 49");
    }

    /** Reads more records than the run before wrote, and records of another size. */
    @Test
    void shouldKnowWhatItWroteAndNothingElse() throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(Workers.java()));
        if (Workers.hasC()) {
            commands.add(Workers.c(dir));
        }
        for (List<String> command : commands) {
            Path file = Files.write(dir.resolve("known.dat"), new byte[100_000]);
            String write = verified(BenchTest.WRITE, 100, 5);
            String more = verified(BenchTest.WRITE, 100, 900);
            String read = verified(BenchTest.READ, 100, 900);
            assertThat(
                            Workers.answer(
                                    command,
                                    List.of(file),
                                    List.of("run " + write, "go", "run " + more, "go")))
                    .filteredOn(line -> line.startsWith("result "))
                    .hasSize(2);
            assertThat(
                            Workers.answer(
                                    command,
                                    List.of(file),
                                    List.of("run " + write, "go", "run " + read, "go")))
                    .last()
                    .isEqualTo("failed " + file + ": read at 500: nobody has told what is there");
            assertThat(
                            Workers.answer(
                                    command,
                                    List.of(file),
                                    List.of(
                                            "run " + more,
                                            "go",
                                            "run " + verified(BenchTest.READ, 50, 900),
                                            "go")))
                    .last()
                    .isEqualTo("failed " + file + ": read at 0: nobody has told what is there");
        }
    }

    private static String verified(BenchTest test, int recordBytes, long records) {
        return Workers.job(test, recordBytes, records).toLine().replace("verify=0", "verify=1");
    }

    /** Neither one record nor several together can be packed; both workers write the same bytes. */
    @Test
    void shouldWriteWhatCannotBePacked() throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(Workers.java()));
        if (Workers.hasC()) {
            commands.add(Workers.c(dir));
        }
        List<byte[]> contents = new ArrayList<>();
        for (List<String> command : commands) {
            Path file = dir.resolve("packed.dat");
            Files.write(file, new byte[0]);
            String write = Workers.job(BenchTest.WRITE, 4096, 256).toLine();
            assertThat(Workers.answer(command, List.of(file), List.of("run " + write, "go")))
                    .contains("done");
            byte[] bytes = Files.readAllBytes(file);
            contents.add(bytes);
            assertThat(bytes).hasSize(1 << 20);
            Deflater deflater = new Deflater(1);
            deflater.setInput(bytes, 0, 1 << 18);
            deflater.finish();
            byte[] packed = new byte[1 << 19];
            assertThat(deflater.deflate(packed)).isGreaterThan((1 << 18) * 99 / 100);
            deflater.end();
            assertThat(
                            IntStream.range(0, 256)
                                    .mapToObj(i -> ByteBuffer.wrap(bytes, i * 4096, 4096))
                                    .distinct())
                    .hasSize(256);
        }
        assertThat(contents).allMatch(bytes -> Arrays.equals(bytes, contents.get(0)));
    }

    /** The first thread would read for days. */
    @Test
    @Timeout(300)
    void shouldEndWithAThreadThatFailsWhateverTheOthersDo() throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(Workers.java()));
        if (Workers.hasC()) {
            commands.add(Workers.c(dir));
        }
        Path endless = dir.resolve("endless");
        try (RandomAccessFile holes = new RandomAccessFile(endless.toFile(), "rw")) {
            holes.setLength(1L << 40);
        }
        Path file = Files.write(dir.resolve("short"), new byte[10]);
        String read =
                Workers.job(BenchTest.READ, 1, 1L << 40)
                        .toLine()
                        .replace("threads=1", "threads=2")
                        .replace("count=1", "count=2");
        for (List<String> command : commands) {
            assertThat(
                            Workers.answer(
                                    command, List.of(endless, file), List.of("run " + read, "go")))
                    .last()
                    .isEqualTo("failed " + file + ": ends at 10");
        }
    }

    @Test
    void shouldSayWhatWentWrongInOneLine() throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(Workers.java()));
        if (Workers.hasC()) {
            commands.add(Workers.c(dir));
        }
        String read = Workers.job(BenchTest.READ, 100, 10).toLine();
        Path shorter = Files.write(dir.resolve("short.dat"), new byte[950]);
        Map<String, List<String>> said = new HashMap<>();
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
            assertThat(Workers.answer(command, List.of(dir), List.of("run " + read, "go")))
                    .last()
                    .isEqualTo("failed " + dir + ": read at 0: Is a directory");
            // A line that is not go starts nothing.
            assertThat(Workers.answer(command, List.of(shorter), List.of("run " + read, "stop")))
                    .containsExactly("prepared", "failed line not understood: not go");
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
                            "plan " + read + " more=1",
                            "plan " + read + "\r",
                            "run " + read.replace("verify=0", "verify=0\r"),
                            "plan " + " ".repeat(5000) + read,
                            "plan " + " ".repeat(4095 - "plan ".length() - read.length()) + read,
                            "warm " + read,
                            "plan " + read + " seed=1",
                            "plan " + read.replace("direct=0", "test=read"),
                            "plan " + read + " test=write",
                            "plan " + read + " more",
                            "plan " + read.replace("seed=1", "seed=1x"),
                            "plan " + read.replace("seed=1", "seed=+1"),
                            "plan " + read.replace("seed=1", "seed="),
                            "plan " + read.replace("seed=1", "seed=99999999999999999999"))) {
                List<String> answer = Workers.answer(command, List.of(shorter), List.of(wrong));
                assertThat(answer)
                        .as(wrong)
                        .singleElement()
                        .asString()
                        .startsWith("failed line not understood: ");
                // Both workers say the same.
                assertThat(said.computeIfAbsent(wrong, key -> answer)).as(wrong).isEqualTo(answer);
            }
            assertThat(
                            Workers.answer(
                                    command,
                                    List.of(shorter),
                                    List.of("plan " + " ".repeat(4094 - 5 - read.length()) + read)))
                    .last()
                    .isEqualTo("done");
            assertThat(Workers.answer(command, List.of(shorter), List.of("run " + read, "go\r")))
                    .containsExactly("prepared", "failed line not understood: not go");
            assertThat(
                            Workers.answer(
                                    command,
                                    List.of(shorter),
                                    List.of(
                                            "run "
                                                    + read.replace("verify=0", "verify=1")
                                                            .replace(
                                                                    "file_records=10",
                                                                    "file_records=5000000000"))))
                    .containsExactly("failed no memory to verify 5000000000 records");
        }
        assertThat(said).isNotEmpty();
    }

    /** The files behind {@code --} are used instead; those before it stay as they are. */
    @Test
    void shouldWarmUpOnAnotherFile() throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(Workers.java()));
        if (Workers.hasC()) {
            commands.add(Workers.c(dir));
        }
        String write = Workers.job(BenchTest.WRITE, 100, 10).toLine();
        for (List<String> command : commands) {
            Path measured = Files.write(dir.resolve("measured"), new byte[0]);
            Path other = Files.write(dir.resolve("other"), new byte[0]);
            assertThat(
                            Workers.answer(
                                    command,
                                    List.of(measured, Path.of("--"), other),
                                    List.of("warm " + write, "go")))
                    .contains("done");
            assertThat(measured).isEmptyFile();
            assertThat(other).hasSize(1000);
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
                if (test == BenchTest.SOLVER) {
                    assertThat(taken).hasSize(18 * records - 2 * (records / 3));
                    continue;
                }
                if (test == BenchTest.LOOP) {
                    assertThat(taken).hasSize(3 * records);
                    taken = taken.subList(records, 2 * records);
                }
                assertThat(taken).as("%s of %d", test, records).hasSize(records);
                if (test == BenchTest.ZIPF) {
                    assertThat(taken).allMatch(r -> r >= 0 && r < records);
                    continue;
                }
                if (test == BenchTest.RECORD_REWRITE) {
                    assertThat(taken).containsOnly(0L);
                } else {
                    assertThat(taken).doesNotHaveDuplicates().allMatch(r -> r >= 0 && r < records);
                }
            }
        }
    }

    @Test
    void shouldReadFewRecordsOftenAndManySeldom() {
        WorkerJob job = Workers.job(BenchTest.ZIPF, 10, 65_536);
        Sequence sequence = new Sequence(job, 0, 1);
        int[] counts = new int[65_536];
        while (sequence.next()) {
            counts[(int) sequence.record()]++;
        }
        java.util.Arrays.sort(counts);
        // The most popular record has a 17th of the draws; half of the records have one at most.
        assertThat(counts[65_535]).isBetween(3400, 4300);
        assertThat(counts[32_768]).isLessThan(2);
    }

    @Test
    void shouldReadAsOftenAsTheMixSays() {
        WorkerJob job = Workers.job(BenchTest.MIXED, 10, 100_000);
        Sequence sequence = new Sequence(job, 0, 1);
        int writes = 0;
        while (sequence.next()) {
            writes += sequence.writes() ? 1 : 0;
        }
        // 70 % of 100000 are reads; the bounds are ten times the standard deviation.
        assertThat(writes).isBetween(30_000 - 1450, 30_000 + 1450);
    }
}
