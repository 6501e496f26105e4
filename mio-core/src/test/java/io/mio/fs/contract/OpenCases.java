package io.mio.fs.contract;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Opens files in every way there is; what the open file then does is another contract's matter. */
@SuppressWarnings("StreamResourceLeak") // what is expected to fail opens nothing
public final class OpenCases {
    private OpenCases() {}

    public static List<FsCase> all() {
        return List.of(
                new FsCase("should open channels as the platform does", OpenCases::channels),
                new FsCase("should open streams as the platform does", OpenCases::streams),
                new FsCase("should open asynchronous channels", OpenCases::asynchronous),
                new FsCase("should read and write whole files", OpenCases::whole));
    }

    private static final List<Set<OpenOption>> OPTIONS =
            List.of(
                    Set.of(),
                    Set.of(READ),
                    Set.of(WRITE),
                    Set.of(READ, WRITE),
                    Set.of(WRITE, CREATE),
                    Set.of(WRITE, CREATE_NEW),
                    Set.of(READ, CREATE),
                    Set.of(APPEND),
                    Set.of(APPEND, READ),
                    Set.of(APPEND, TRUNCATE_EXISTING),
                    Set.of(WRITE, TRUNCATE_EXISTING),
                    Set.of(READ, DELETE_ON_CLOSE),
                    Set.of(READ, LinkOption.NOFOLLOW_LINKS),
                    Set.of(READ, new OpenOption() {}));

    private static void prepare(Path dir) throws Exception {
        FileCases.file(dir.resolve("file"), "some text");
        Files.createSymbolicLink(dir.resolve("link"), dir.resolve("file"));
        Files.createDirectory(dir.resolve("dir"));
        Files.deleteIfExists(dir.resolve("missing"));
    }

    private static void clear(Path dir) throws Exception {
        for (String name : List.of("file", "link", "dir", "missing")) {
            Files.deleteIfExists(dir.resolve(name));
        }
    }

    private static void channels(Path dir, Path other, Script script) throws Exception {
        for (int i = 0; i < OPTIONS.size(); i++) {
            Set<OpenOption> options = OPTIONS.get(i);
            for (String name : List.of("file", "link", "dir", "missing", "no/file")) {
                prepare(dir);
                Path path = dir.resolve(name);
                script.step(
                        "byte " + i + name,
                        () -> {
                            try (var channel = Files.newByteChannel(path, options)) {
                                return (channel instanceof FileChannel) + " " + channel.position();
                            }
                        });
                script.step("left", () -> Files.exists(path, LinkOption.NOFOLLOW_LINKS));
                clear(dir);
                prepare(dir);
                script.step(
                        "file " + i + name,
                        () -> {
                            try (var channel = FileChannel.open(path, options)) {
                                return channel.position();
                            }
                        });
                clear(dir);
            }
        }
        Path file = FileCases.file(dir.resolve("file"), "some text");
        Path made = dir.resolve("made");
        var mode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw--w----"));
        script.run("mode", () -> FileChannel.open(made, Set.of(WRITE, CREATE), mode).close());
        script.step(
                "mode is",
                () -> PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
        script.step("null options", () -> FileChannel.open(file, (Set<OpenOption>) null));
        script.step("null option", () -> FileChannel.open(file, (OpenOption) null));
        script.step(
                "null attributes",
                () ->
                        dir.getFileSystem()
                                .provider()
                                .newFileChannel(
                                        file,
                                        Set.of(READ),
                                        (java.nio.file.attribute.FileAttribute<?>[]) null));
        script.step("null byte options", () -> Files.newByteChannel(file, (Set<OpenOption>) null));
    }

    private static void streams(Path dir, Path other, Script script) throws Exception {
        for (int i = 0; i < OPTIONS.size(); i++) {
            OpenOption[] options = OPTIONS.get(i).toArray(new OpenOption[0]);
            for (String name : List.of("file", "link", "dir", "missing")) {
                prepare(dir);
                Path path = dir.resolve(name);
                script.step(
                        "in " + i + name,
                        () -> {
                            try (var stream = Files.newInputStream(path, options)) {
                                return stream.available()
                                        + new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                            }
                        });
                clear(dir);
                prepare(dir);
                script.run(
                        "out " + i + name,
                        () -> {
                            try (var stream = Files.newOutputStream(path, options)) {
                                stream.write('x');
                            }
                        });
                script.step("left", () -> Files.readString(path));
                clear(dir);
            }
        }
        Path file = FileCases.file(dir.resolve("file"), "some text");
        script.step("null in", () -> Files.newInputStream(file, (OpenOption) null));
        script.step("null out", () -> Files.newOutputStream(file, (OpenOption) null));
        script.step("nulls in", () -> Files.newInputStream(file, (OpenOption[]) null));
        script.step("nulls out", () -> Files.newOutputStream(file, (OpenOption[]) null));
        script.step("survived", () -> Files.readString(file));
    }

    private static void asynchronous(Path dir, Path other, Script script) throws Exception {
        for (int i = 0; i < OPTIONS.size(); i++) {
            Set<OpenOption> options = OPTIONS.get(i);
            for (String name : List.of("file", "link", "dir", "missing")) {
                prepare(dir);
                Path path = dir.resolve(name);
                script.step(
                        "open " + i + name,
                        () -> {
                            try (var channel = AsynchronousFileChannel.open(path, options, null)) {
                                return channel.read(ByteBuffer.allocate(20), 2).get();
                            }
                        });
                clear(dir);
            }
        }
        Path file = FileCases.file(dir.resolve("file"), "some text");
        script.step(
                "null options",
                () -> AsynchronousFileChannel.open(file, (Set<OpenOption>) null, null));
    }

    private static void whole(Path dir, Path other, Script script) throws Exception {
        Path file = dir.resolve("file");
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 % 97);
        }
        script.step("write", () -> Files.write(file, bytes));
        script.step("read", () -> Files.readAllBytes(file));
        script.step("append", () -> Files.writeString(file, "end\n", APPEND));
        script.step("read again", () -> Files.readAllBytes(file));
        script.step("lines", () -> Files.write(dir.resolve("l"), List.of("a", "\u00fc", "")));
        script.step("all lines", () -> Files.readAllLines(dir.resolve("l")));
        script.step(
                "lazy lines",
                () -> {
                    try (Stream<String> lines = Files.lines(dir.resolve("l"))) {
                        return lines.toList();
                    }
                });
        script.step(
                "malformed",
                () -> Files.readString(Files.write(dir.resolve("m"), new byte[] {-1, -2})));
        script.step("read dir", () -> Files.readAllBytes(dir));
        script.step("read missing", () -> Files.readAllBytes(dir.resolve("no")));
        script.step("no options", () -> Files.write(file, bytes, new OpenOption[0]));
        script.step("create new", () -> Files.write(file, bytes, CREATE_NEW));
        script.step(
                "special",
                () ->
                        Files.readAllBytes(dir.getFileSystem().getPath("/proc/self/cmdline")).length
                                > 0);
        script.step(
                "copy in",
                () -> {
                    try (var in = Files.newInputStream(file)) {
                        return Files.copy(in, dir.resolve("copy"));
                    }
                });
        script.step("copy out", () -> Files.copy(file, java.io.OutputStream.nullOutputStream()));
        script.step(
                "writer",
                () -> {
                    try (var writer = Files.newBufferedWriter(dir.resolve("w"))) {
                        writer.write("text");
                    }
                    return Files.newBufferedReader(dir.resolve("w")).readLine();
                });
    }
}
