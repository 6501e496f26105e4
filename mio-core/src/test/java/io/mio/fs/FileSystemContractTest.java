package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.fs.contract.AttributeCases;
import io.mio.fs.contract.DirectoryCases;
import io.mio.fs.contract.FileCases;
import io.mio.fs.contract.FsCase;
import io.mio.fs.contract.OpenCases;
import io.mio.fs.contract.PathCases;
import io.mio.fs.contract.Script;
import io.mio.fs.contract.SystemCases;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every operation of provider, file system, path, attributes, watch service, directory streams,
 * links and file stores, on MIO and on the plain JDK, in two directories: same results, same
 * exceptions, same files left behind.
 */
class FileSystemContractTest {
    @TempDir Path temporary;

    @TestFactory
    Stream<DynamicTest> shouldDoWhatThePlatformDoes() {
        List<FsCase> cases = new ArrayList<>();
        cases.addAll(FileCases.all());
        cases.addAll(AttributeCases.all());
        cases.addAll(DirectoryCases.all());
        cases.addAll(OpenCases.all());
        cases.addAll(SystemCases.all());
        cases.addAll(PathCases.all());
        return Arrays.stream(Door.values())
                .flatMap(
                        door ->
                                cases.stream()
                                        .map(
                                                each ->
                                                        DynamicTest.dynamicTest(
                                                                door + ": " + each.name(),
                                                                () -> compare(door, each))));
    }

    private void compare(Door door, FsCase operations) throws Exception {
        Path base = Files.createTempDirectory(temporary, "case");
        Path plain = Files.createDirectory(base.resolve("jdk"));
        Path plainOther = Files.createDirectory(base.resolve("oth"));
        Path ours = Files.createDirectory(base.resolve("mio"));
        FileSystem fileSystem = door.open();
        Path wrapped = fileSystem.getPath(ours.toString());
        Path wrappedOther = fileSystem.getPath(plainOther.toString());

        Script expected = new Script(plain, "file://");
        operations.body().run(plain, wrappedOther, expected);
        Script actual = new Script(wrapped, door.uriPrefix());
        operations.body().run(wrapped, plainOther, actual);

        assertThat(String.join("\n", actual.log())).isEqualTo(String.join("\n", expected.log()));
        assertThat(actual.log()).isNotEmpty();
        assertThat(tree(ours)).isEqualTo(tree(plain));
    }

    @ParameterizedTest
    @EnumSource(Door.class)
    void shouldComputeWithPathsAsThePlatformDoes(Door door) throws Exception {
        long seed = Long.getLong("mio.test.seed", ThreadLocalRandom.current().nextLong());
        int rounds = Integer.getInteger("mio.test.rounds", 20_000);
        FileSystem fileSystem = door.open();
        Script expected = new Script(temporary, "file://");
        PathCases.random(temporary, seed, rounds, expected);
        Script actual = new Script(fileSystem.getPath(temporary.toString()), door.uriPrefix());
        PathCases.random(fileSystem.getPath(temporary.toString()), seed, rounds, actual);

        for (int i = 0; i < rounds; i++) {
            assertThat(actual.log().get(i))
                    .as("replay with -Dmio.test.seed=" + seed + " -Dmio.test.rounds=" + rounds)
                    .isEqualTo(expected.log().get(i));
        }
    }

    /** Names, kinds, modes, sizes and contents of all that is left in a directory. */
    private static List<String> tree(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths.sorted()::iterator) {
                lines.add(line(directory, path));
            }
        }
        return lines;
    }

    private static String line(Path directory, Path path) throws IOException {
        String name = directory.relativize(path).toString();
        if (Files.isSymbolicLink(path)) {
            String target = Files.readSymbolicLink(path).toString();
            return name + " -> " + target.replace(directory.toString(), "<dir>");
        }
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        return name
                + " "
                + mode
                + (Files.isDirectory(path) ? "" : Arrays.toString(Files.readAllBytes(path)));
    }
}
