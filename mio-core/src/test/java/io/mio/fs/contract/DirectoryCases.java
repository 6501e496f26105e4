package io.mio.fs.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Directory streams, secure directory streams and walks. */
@SuppressWarnings("StreamResourceLeak") // closing late, or not opening at all, is the point
public final class DirectoryCases {
    private DirectoryCases() {}

    public static List<FsCase> all() {
        return List.of(
                new FsCase("should list directories as the platform does", DirectoryCases::list),
                new FsCase(
                        "should end directory streams as the platform does", DirectoryCases::ends),
                new FsCase("should work in an open directory", DirectoryCases::secure),
                new FsCase(
                        "should refuse work in a closed directory",
                        DirectoryCases::closedDirectory),
                new FsCase(
                        "should refuse foreign names in an open directory", DirectoryCases::refuse),
                new FsCase("should walk as the platform does", DirectoryCases::walk));
    }

    private static void fill(Path dir) throws Exception {
        FileCases.file(dir.resolve("a.txt"), "a");
        FileCases.file(dir.resolve("b.txt"), "bb");
        FileCases.file(dir.resolve("c.dat"), "ccc");
        FileCases.file(Files.createDirectories(dir.resolve("d/e")).resolve("f.txt"), "f");
        Files.createSymbolicLink(dir.resolve("d/loop"), dir);
    }

    private static List<Path> sorted(Iterable<Path> paths) {
        List<Path> sorted = new ArrayList<>();
        paths.forEach(sorted::add);
        sorted.sort(null);
        return sorted;
    }

    private static Object listed(Path dir, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir, filter)) {
            return sorted(stream);
        }
    }

    private static void list(Path dir, Path other, Script script) throws Exception {
        fill(dir);
        script.step("all", () -> listed(dir, entry -> true));
        script.step("some", () -> listed(dir, Files::isDirectory));
        script.step("names", () -> listed(dir, entry -> entry.endsWith("a.txt")));
        script.step("parents", () -> listed(dir, entry -> entry.getParent().equals(dir)));
        script.step("relative", () -> listed(dir.resolve("d"), entry -> entry.isAbsolute()));
        script.step(
                "failing filter",
                () ->
                        listed(
                                dir,
                                entry -> {
                                    throw new IOException("no " + entry.getFileSystem().isOpen());
                                }));
        script.step("null filter", () -> listed(dir, null));
        script.step("missing", () -> listed(dir.resolve("no"), entry -> true));
        script.step("file", () -> listed(dir.resolve("a.txt"), entry -> true));
        script.step("link", () -> listed(dir.resolve("d/loop"), entry -> true));
        script.step("empty name", () -> listed(dir.getFileSystem().getPath(""), entry -> false));
        for (String glob : List.of("*.txt", "*", "{a,c}.*", "[", "**", "")) {
            script.step(
                    "glob " + glob,
                    () -> {
                        try (var stream = Files.newDirectoryStream(dir, glob)) {
                            return sorted(stream);
                        }
                    });
        }
        script.step(
                "list",
                () -> {
                    try (Stream<Path> stream = Files.list(dir)) {
                        return stream.sorted().toList();
                    }
                });
    }

    private static void ends(Path dir, Path other, Script script) throws Exception {
        fill(dir);
        DirectoryStream<Path> stream = Files.newDirectoryStream(dir);
        Iterator<Path> iterator = stream.iterator();
        script.step("twice", stream::iterator);
        script.step("more", iterator::hasNext);
        script.step("next", () -> iterator.next().getParent());
        script.run("remove", iterator::remove);
        script.run("close", stream::close);
        script.run("close again", stream::close);
        script.step("iterator closed", stream::iterator);
        DirectoryStream<Path> exhausted = Files.newDirectoryStream(dir);
        Iterator<Path> all = exhausted.iterator();
        while (all.hasNext()) {
            all.next();
        }
        script.step("past the end", all::next);
        exhausted.close();
        script.step("secure", () -> exhausted instanceof SecureDirectoryStream);
    }

    private static SecureDirectoryStream<Path> open(Path dir) throws IOException {
        return (SecureDirectoryStream<Path>) Files.newDirectoryStream(dir);
    }

    private static void secure(Path dir, Path other, Script script) throws Exception {
        fill(dir);
        Path a = dir.getFileSystem().getPath("a.txt");
        Path d = dir.getFileSystem().getPath("d");
        Path loop = dir.getFileSystem().getPath("loop");
        try (var stream = open(dir);
                var inner = stream.newDirectoryStream(d)) {
            script.step("sub", () -> sorted(inner));
            script.step("sub of file", () -> stream.newDirectoryStream(a));
            script.step(
                    "sub nofollow",
                    () -> inner.newDirectoryStream(loop, LinkOption.NOFOLLOW_LINKS));
            script.step(
                    "sub follow",
                    () -> {
                        try (var followed = inner.newDirectoryStream(loop)) {
                            return sorted(followed);
                        }
                    });
            script.step(
                    "read",
                    () -> {
                        try (var channel = stream.newByteChannel(a, Set.of())) {
                            return channel.size() + "," + channel.read(ByteBuffer.allocate(9));
                        }
                    });
            script.step(
                    "write",
                    () -> {
                        try (var channel =
                                inner.newByteChannel(
                                        a,
                                        Set.of(
                                                StandardOpenOption.CREATE_NEW,
                                                StandardOpenOption.WRITE))) {
                            return channel.write(StandardCharsets.UTF_8.encode("new"));
                        }
                    });
            script.step("open missing", () -> stream.newByteChannel(loop, Set.of()));
            script.step("null options", () -> stream.newByteChannel(a, null));
            script.step(
                    "view",
                    () ->
                            stream.getFileAttributeView(BasicFileAttributeView.class)
                                    .readAttributes());
            script.step(
                    "view of",
                    () ->
                            stream.getFileAttributeView(a, PosixFileAttributeView.class)
                                    .readAttributes());
            script.step("view unknown", () -> stream.getFileAttributeView(a, null));
            script.run("move", () -> stream.move(a, inner, dir.getFileSystem().getPath("moved")));
            script.run("move missing", () -> stream.move(a, inner, a));
            script.run("delete dir", () -> stream.deleteDirectory(d));
            script.run("delete file", () -> inner.deleteFile(loop));
            script.run("delete dir as file", () -> stream.deleteFile(d));
            script.run("delete missing", () -> inner.deleteFile(loop));
        }
    }

    private static void closedDirectory(Path dir, Path other, Script script) throws Exception {
        fill(dir);
        Path a = dir.getFileSystem().getPath("a.txt");
        SecureDirectoryStream<Path> stream = open(dir);
        script.run("close", stream::close);
        script.run("closed", () -> stream.deleteFile(a));
        script.step("closed channel", () -> stream.newByteChannel(a, Set.of()));
        script.step("closed sub", () -> stream.newDirectoryStream(a));
        script.step("closed list", stream::iterator);
    }

    private static void refuse(Path dir, Path other, Script script) throws Exception {
        fill(dir);
        Path a = dir.getFileSystem().getPath("a.txt");
        try (var stream = open(dir);
                var foreign = open(other)) {
            script.run("delete", () -> stream.deleteFile(other));
            script.run("delete null", () -> stream.deleteFile(null));
            script.run("delete dir", () -> stream.deleteDirectory(other));
            script.step("sub", () -> stream.newDirectoryStream(other));
            script.step("channel", () -> stream.newByteChannel(other, Set.of()));
            script.step(
                    "view", () -> stream.getFileAttributeView(other, BasicFileAttributeView.class));
            script.run("move from", () -> stream.move(other, stream, a));
            script.run("move to", () -> stream.move(a, stream, other));
            script.run("move over", () -> stream.move(a, foreign, a));
            script.run("move null", () -> stream.move(a, null, a));
        }
    }

    private static void walk(Path dir, Path other, Script script) throws Exception {
        fill(dir);
        script.step(
                "walk",
                () -> {
                    try (Stream<Path> stream = Files.walk(dir)) {
                        return stream.sorted().toList();
                    }
                });
        script.step(
                "walk links",
                () -> {
                    try (Stream<Path> stream = Files.walk(dir, FileVisitOption.FOLLOW_LINKS)) {
                        return stream.sorted().toList();
                    }
                });
        script.step(
                "find",
                () -> {
                    try (Stream<Path> stream =
                            Files.find(dir, 3, (path, is) -> is.isRegularFile())) {
                        return stream.sorted().toList();
                    }
                });
        script.step("delete all", () -> Files.walkFileTree(dir.resolve("d"), new Remover()));
        script.step("gone", () -> Files.exists(dir.resolve("d")));
    }

    /** Deletes a tree bottom up. */
    private static final class Remover extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
            Files.delete(dir);
            return FileVisitResult.CONTINUE;
        }
    }
}
