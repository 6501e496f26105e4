package io.mio.fs.contract;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.DosFileAttributes;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Attributes by class, by name and by view. */
public final class AttributeCases {
    private AttributeCases() {}

    public static List<FsCase> all() {
        return List.of(
                new FsCase("should read attributes as the platform does", AttributeCases::read),
                new FsCase("should set attributes as the platform does", AttributeCases::set),
                new FsCase("should give the platform's views", AttributeCases::views),
                new FsCase("should keep user attributes", AttributeCases::user));
    }

    private static void read(Path dir, Path other, Script script) throws Exception {
        Path file = FileCases.file(dir.resolve("file"), "some text");
        Path link = Files.createSymbolicLink(dir.resolve("link"), file);
        Path missing = dir.resolve("missing");
        FileSystemProvider provider = dir.getFileSystem().provider();
        for (Path path : List.of(file, dir, link, missing, file.resolve("below"))) {
            for (var type :
                    List.of(
                            BasicFileAttributes.class,
                            PosixFileAttributes.class,
                            DosFileAttributes.class)) {
                script.step("by " + type, () -> Files.readAttributes(path, type));
                script.step(
                        "by nofollow " + type,
                        () -> Files.readAttributes(path, type, LinkOption.NOFOLLOW_LINKS));
                script.step(
                        "by null option",
                        () -> Files.readAttributes(path, type, (LinkOption) null));
            }
            script.step("unknown class", () -> provider.readAttributes(path, Unknown.class));
            for (String names :
                    List.of(
                            "*",
                            "posix:*",
                            "unix:*",
                            "basic:size,isDirectory",
                            "owner:*",
                            "user:*",
                            "dos:*",
                            "size,nothing",
                            "nothing:*",
                            "unix:mode,nlink",
                            "posix:permissions",
                            "",
                            ":",
                            "size,*")) {
                script.step(names, () -> named(path, names));
            }
            script.step("one", () -> Files.getAttribute(path, "unix:mode"));
            script.step("several", () -> Files.getAttribute(path, "posix:size,permissions"));
            script.step("owner", () -> Files.getOwner(path));
            script.step("permissions", () -> new TreeSet<>(Files.getPosixFilePermissions(path)));
        }
    }

    private static Object named(Path path, String names) throws Exception {
        var all = new TreeMap<>(Files.readAttributes(path, names));
        // Two files may differ in these attributes.
        for (String each :
                List.of(
                        "fileKey",
                        "ino",
                        "ctime",
                        "creationTime",
                        "lastAccessTime",
                        "lastModifiedTime")) {
            all.computeIfPresent(each, (name, value) -> value.getClass().getName());
        }
        if (Boolean.TRUE.equals(all.get("isDirectory"))) {
            all.remove("size");
        }
        all.computeIfPresent(
                "permissions", (name, value) -> new TreeSet<>((java.util.Set<?>) value));
        return all;
    }

    private static void set(Path dir, Path other, Script script) throws Exception {
        Path file = FileCases.file(dir.resolve("file"), "some text");
        FileTime time = FileTime.fromMillis(1_000_000_000_123L);
        script.step("modified", () -> Files.setLastModifiedTime(file, time));
        script.step("modified is", () -> Files.getLastModifiedTime(file));
        script.step("modified missing", () -> Files.setLastModifiedTime(dir.resolve("no"), time));
        script.step("by name", () -> Files.setAttribute(file, "lastAccessTime", time));
        script.step("is", () -> Files.getAttribute(file, "lastAccessTime"));
        script.step("mode", () -> Files.setAttribute(file, "unix:mode", 0600));
        script.step("mode is", () -> Files.getAttribute(file, "posix:permissions").toString());
        script.step(
                "permissions",
                () ->
                        Files.setPosixFilePermissions(
                                file, PosixFilePermissions.fromString("rw-r-----")));
        script.step(
                "permissions are",
                () -> PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        script.step("read-only name", () -> Files.setAttribute(file, "size", 3L));
        script.step("unknown name", () -> Files.setAttribute(file, "nothing", 3L));
        script.step("unknown view", () -> Files.setAttribute(file, "nothing:x", 3L));
        script.step("wrong type", () -> Files.setAttribute(file, "lastModifiedTime", "now"));
        script.step("null value", () -> Files.setAttribute(file, "lastModifiedTime", null));
        script.step("null name", () -> Files.setAttribute(file, null, time));
        script.step("owner", () -> Files.setOwner(file, Files.getOwner(file)));
        script.step(
                "group",
                () ->
                        Files.setAttribute(
                                file, "posix:group", Files.getAttribute(file, "posix:group")));
    }

    private static void views(Path dir, Path other, Script script) throws Exception {
        Path file = FileCases.file(dir.resolve("file"), "some text");
        Path missing = dir.resolve("missing");
        for (Path path : List.of(file, missing)) {
            script.step(
                    "basic",
                    () -> Files.getFileAttributeView(path, BasicFileAttributeView.class).name());
            script.step(
                    "basic reads",
                    () ->
                            Files.getFileAttributeView(path, BasicFileAttributeView.class)
                                    .readAttributes());
            script.step(
                    "posix",
                    () ->
                            Files.getFileAttributeView(path, PosixFileAttributeView.class)
                                    .readAttributes());
            script.step(
                    "owner",
                    () ->
                            Files.getFileAttributeView(path, FileOwnerAttributeView.class)
                                    .getOwner());
            script.step("acl", () -> Files.getFileAttributeView(path, AclFileAttributeView.class));
            script.step(
                    "null",
                    () -> Files.getFileAttributeView(path, (Class<BasicFileAttributeView>) null));
            script.run(
                    "times",
                    () ->
                            Files.getFileAttributeView(path, BasicFileAttributeView.class)
                                    .setTimes(FileTime.fromMillis(5000), null, null));
        }
        script.step("time is", () -> Files.getLastModifiedTime(file));
    }

    private static void user(Path dir, Path other, Script script) throws Exception {
        Path file = FileCases.file(dir.resolve("file"), "some text");
        var view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
        script.step("supported", () -> Files.getFileStore(file).supportsFileAttributeView("user"));
        script.step("write", () -> view.write("note", StandardCharsets.UTF_8.encode("hello")));
        script.step("list", view::list);
        script.step("size", () -> view.size("note"));
        script.step("read", () -> view.read("note", ByteBuffer.allocate(20)));
        script.step("by name", () -> (byte[]) Files.getAttribute(file, "user:note"));
        script.run("delete", () -> view.delete("note"));
        script.run("delete again", () -> view.delete("note"));
    }

    /** A class of attributes that no provider knows. */
    private interface Unknown extends BasicFileAttributes {}
}
