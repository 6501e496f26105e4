package io.mio.fs.contract;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Making, copying, moving, linking and removing files. */
public final class FileCases {
    private FileCases() {}

    public static List<FsCase> all() {
        return List.of(
                new FsCase("should create and delete as the platform does", FileCases::create),
                new FsCase("should copy as the platform does", FileCases::copy),
                new FsCase("should move as the platform does", FileCases::move),
                new FsCase("should link as the platform does", FileCases::link),
                new FsCase("should copy to and from foreign file systems", FileCases::foreignCopy),
                new FsCase("should tell the same file as the platform does", FileCases::sameFile),
                new FsCase("should check access as the platform does", FileCases::access),
                new FsCase("should make temporary files in the directory", FileCases::temporary));
    }

    static Path file(Path path, String text) throws Exception {
        return Files.write(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void create(Path dir, Path other, Script script) {
        var mode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------"));
        script.step("dir", () -> Files.createDirectory(dir.resolve("d")));
        script.step("again", () -> Files.createDirectory(dir.resolve("d")));
        script.step("no parent", () -> Files.createDirectory(dir.resolve("x/y")));
        script.step("all", () -> Files.createDirectories(dir.resolve("x/y/z")));
        script.step("all again", () -> Files.createDirectories(dir.resolve("x/y/z")));
        script.step("mode", () -> Files.createDirectory(dir.resolve("m"), mode));
        script.step("file mode", () -> Files.createFile(dir.resolve("fm"), mode));
        script.step(
                "modes",
                () ->
                        PosixFilePermissions.toString(
                                        Files.getPosixFilePermissions(dir.resolve("m")))
                                + PosixFilePermissions.toString(
                                        Files.getPosixFilePermissions(dir.resolve("fm"))));
        script.step("file", () -> Files.createFile(dir.resolve("f")));
        script.step("file again", () -> Files.createFile(dir.resolve("f")));
        script.step("file over dir", () -> Files.createFile(dir.resolve("d")));
        script.step("below a file", () -> Files.createFile(dir.resolve("f/g")));
        script.step("long name", () -> Files.createFile(dir.resolve("n".repeat(300))));
        script.step("strange name", () -> Files.createFile(dir.resolve(" \u00e9\t%20?#*")));
        script.run("delete full", () -> Files.delete(dir.resolve("x")));
        script.run("delete missing", () -> Files.delete(dir.resolve("missing")));
        script.step("delete if there", () -> Files.deleteIfExists(dir.resolve("missing")));
        script.step("delete if there 2", () -> Files.deleteIfExists(dir.resolve("f")));
        script.run("delete dir", () -> Files.delete(dir.resolve("d")));
        script.run("delete below a file", () -> Files.deleteIfExists(dir.resolve("fm/g")));
    }

    private static void copy(Path dir, Path other, Script script) throws Exception {
        Path a = file(dir.resolve("a"), "some text");
        Path b = file(dir.resolve("b"), "b");
        Path full = Files.createDirectories(dir.resolve("full/sub")).getParent();
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.getFileSystem().getPath("a"));
        script.step("new", () -> Files.copy(a, dir.resolve("c")));
        script.step("over", () -> Files.copy(a, b));
        script.step("replace", () -> Files.copy(a, b, REPLACE_EXISTING));
        script.step("content", () -> Files.readString(b));
        script.step("attributes", () -> Files.copy(a, dir.resolve("e"), COPY_ATTRIBUTES));
        script.step(
                "times kept",
                // JDK 17 drops what is below a microsecond; 25 keeps it.
                () ->
                        Files.getLastModifiedTime(a).to(TimeUnit.MICROSECONDS)
                                == Files.getLastModifiedTime(dir.resolve("e"))
                                        .to(TimeUnit.MICROSECONDS));
        script.step("itself", () -> Files.copy(a, a));
        script.step("itself replaced", () -> Files.copy(a, a, REPLACE_EXISTING));
        script.step("missing", () -> Files.copy(dir.resolve("no"), dir.resolve("no2")));
        script.step("dir", () -> Files.copy(full, dir.resolve("full2")));
        script.step("replace full dir", () -> Files.copy(a, full, REPLACE_EXISTING));
        script.step("link", () -> Files.copy(link, dir.resolve("l2")));
        script.step(
                "link itself",
                () -> Files.copy(link, dir.resolve("l3"), LinkOption.NOFOLLOW_LINKS));
        script.step("link is", () -> Files.readSymbolicLink(dir.resolve("l3")));
        script.step("atomic", () -> Files.copy(a, dir.resolve("g"), ATOMIC_MOVE));
        script.step("null option", () -> Files.copy(a, dir.resolve("g"), (CopyOption) null));
        script.step("no options", () -> Files.copy(a, dir.resolve("g"), (CopyOption[]) null));
        script.step("no parent", () -> Files.copy(a, dir.resolve("no/x")));
    }

    private static void move(Path dir, Path other, Script script) throws Exception {
        Path a = file(dir.resolve("a"), "some text");
        Path b = file(dir.resolve("b"), "b");
        Path full = Files.createDirectories(dir.resolve("full/sub")).getParent();
        script.step("over", () -> Files.move(a, b));
        script.step("replace", () -> Files.move(a, b, REPLACE_EXISTING));
        script.step("gone", () -> Files.exists(a));
        script.step("content", () -> Files.readString(b));
        script.step("itself", () -> Files.move(b, b));
        script.step("atomic", () -> Files.move(b, a, ATOMIC_MOVE));
        script.step("attributes", () -> Files.move(a, b, COPY_ATTRIBUTES));
        script.step("missing", () -> Files.move(dir.resolve("no"), b));
        script.step("dir", () -> Files.move(full, dir.resolve("full2")));
        script.step(
                "dir into itself", () -> Files.move(dir.resolve("full2"), dir.resolve("full2/x")));
        script.step("over full dir", () -> Files.move(a, dir.resolve("full2"), REPLACE_EXISTING));
        script.step("null option", () -> Files.move(a, b, (CopyOption) null));
        script.step("to another store", () -> moveAway(a));
    }

    /** A move between file systems of the machine is a copy and a delete. */
    private static Object moveAway(Path a) throws Exception {
        Path memory = a.getFileSystem().getPath("/dev/shm");
        if (!Files.isWritable(memory)) {
            return "no /dev/shm here";
        }
        Path target = Files.createTempFile(memory, "mio", null);
        Files.move(a, target, REPLACE_EXISTING);
        String text = Files.readString(target);
        Files.delete(target);
        return text;
    }

    private static void link(Path dir, Path other, Script script) throws Exception {
        Path a = file(dir.resolve("a"), "some text");
        Path relative = dir.getFileSystem().getPath("a");
        Path dangling = dir.getFileSystem().getPath("nowhere/../x");
        script.step("symbolic", () -> Files.createSymbolicLink(dir.resolve("s"), relative));
        script.step("again", () -> Files.createSymbolicLink(dir.resolve("s"), relative));
        script.step("dangling", () -> Files.createSymbolicLink(dir.resolve("q"), dangling));
        script.step("absolute", () -> Files.createSymbolicLink(dir.resolve("abs"), a));
        script.step(
                "empty",
                () -> Files.createSymbolicLink(dir.resolve("e"), relative.resolveSibling("")));
        script.step("foreign", () -> Files.createSymbolicLink(dir.resolve("x"), other));
        script.step("target", () -> Files.readSymbolicLink(dir.resolve("s")));
        script.step("target 2", () -> Files.readSymbolicLink(dir.resolve("q")));
        script.step("target 3", () -> Files.readSymbolicLink(dir.resolve("abs")));
        script.step("not a link", () -> Files.readSymbolicLink(a));
        script.step("missing", () -> Files.readSymbolicLink(dir.resolve("none")));
        script.step("hard", () -> Files.createLink(dir.resolve("h"), a));
        script.step("hard again", () -> Files.createLink(dir.resolve("h"), a));
        script.step("hard missing", () -> Files.createLink(dir.resolve("h2"), dir.resolve("no")));
        script.step("hard dir", () -> Files.createLink(dir.resolve("h3"), dir));
        script.step("hard foreign", () -> Files.createLink(dir.resolve("h4"), other));
        script.step("real", () -> dir.resolve("s").toRealPath());
        script.step("real nofollow", () -> dir.resolve("s").toRealPath(LinkOption.NOFOLLOW_LINKS));
        script.step("real dangling", () -> dir.resolve("q").toRealPath());
        script.step("through", () -> Files.readString(dir.resolve("s")));
    }

    private static void foreignCopy(Path dir, Path other, Script script) throws Exception {
        Path a = file(dir.resolve("a"), "some text");
        FileSystemProvider provider = dir.getFileSystem().provider();
        script.step(
                "there and back",
                () -> {
                    Path copy = other.resolve("copy-" + System.nanoTime());
                    Files.copy(a, copy, COPY_ATTRIBUTES);
                    Files.move(copy, dir.resolve("back"));
                    return Files.readString(dir.resolve("back")) + Files.exists(copy);
                });
        script.run("provider copy to", () -> provider.copy(a, other.resolve("z")));
        script.run("provider copy from", () -> provider.copy(other, dir.resolve("z")));
        script.run("provider move to", () -> provider.move(a, other.resolve("z")));
        script.run("provider move from", () -> provider.move(other, dir.resolve("z")));
    }

    private static void sameFile(Path dir, Path other, Script script) throws Exception {
        Path a = file(dir.resolve("a"), "some text");
        Files.createLink(dir.resolve("h"), a);
        Files.createSymbolicLink(dir.resolve("s"), a);
        Path missing = dir.resolve("missing");
        script.step("hard", () -> Files.isSameFile(a, dir.resolve("h")));
        script.step("symbolic", () -> Files.isSameFile(dir.resolve("s"), a));
        script.step("other", () -> Files.isSameFile(a, dir));
        script.step("equal missing", () -> Files.isSameFile(missing, dir.resolve("missing")));
        script.step("missing", () -> Files.isSameFile(a, missing));
        script.step("missing first", () -> Files.isSameFile(missing, a));
        script.step("foreign", () -> Files.isSameFile(a, other));
        script.step("foreign missing", () -> Files.isSameFile(missing, other));
        script.step("null", () -> Files.isSameFile(a, null));
        script.step("mismatch", () -> Files.mismatch(a, dir.resolve("h")));
    }

    private static void access(Path dir, Path other, Script script) throws Exception {
        Path a = file(dir.resolve(".a"), "some text");
        Path missing = dir.resolve("missing");
        Path dangling = Files.createSymbolicLink(dir.resolve("q"), missing);
        FileSystemProvider provider = dir.getFileSystem().provider();
        for (Path path : List.of(a, missing, dangling, dir, dir.resolve(""), a.resolve("below"))) {
            script.run("access", () -> provider.checkAccess(path));
            script.run(
                    "access rw",
                    () -> provider.checkAccess(path, AccessMode.READ, AccessMode.WRITE));
            script.run("access x", () -> provider.checkAccess(path, AccessMode.EXECUTE));
            script.run("access null", () -> provider.checkAccess(path, (AccessMode) null));
            script.step("exists", () -> Files.exists(path));
            script.step("exists nofollow", () -> Files.exists(path, LinkOption.NOFOLLOW_LINKS));
            script.step("not exists", () -> Files.notExists(path));
            script.step("regular", () -> Files.isRegularFile(path));
            script.step("directory", () -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS));
            script.step("link", () -> Files.isSymbolicLink(path));
            script.step("readable", () -> Files.isReadable(path));
            script.step("writable", () -> Files.isWritable(path));
            script.step("executable", () -> Files.isExecutable(path));
            script.step("hidden", () -> Files.isHidden(path));
            script.step("size", () -> Files.isDirectory(path) ? 0 : Files.size(path));
            script.step("content type", () -> Files.probeContentType(path));
            script.step("file store", () -> Files.getFileStore(path).name());
        }
        script.step("hidden empty", () -> Files.isHidden(dir.getFileSystem().getPath("")));
    }

    private static void temporary(Path dir, Path other, Script script) {
        script.step("file", () -> Files.createTempFile(dir, "a", ".b").getParent());
        script.step("dir", () -> Files.createTempDirectory(dir, "c").getParent());
        script.step(
                "missing",
                () -> {
                    try {
                        return Files.createTempFile(dir.resolve("no"), "a", "b");
                    } catch (NoSuchFileException e) {
                        return "no such file"; // its name is random
                    }
                });
        script.step("bad prefix", () -> Files.createTempFile(dir, "x/y", "b"));
        script.step(
                "remove",
                () -> {
                    try (var entries = Files.newDirectoryStream(dir)) {
                        int count = 0;
                        for (Path entry : entries) {
                            Files.delete(entry);
                            count++;
                        }
                        return count;
                    }
                });
    }
}
