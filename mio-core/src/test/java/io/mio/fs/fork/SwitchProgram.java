package io.mio.fs.fork;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An ordinary program: it knows nothing of MIO, and prints what it sees, the same in every JVM.
 * Argument: a directory to work in.
 */
public final class SwitchProgram {
    private static Path directory;

    private SwitchProgram() {}

    public static void main(String[] arguments) {
        directory = Path.of(arguments[0]);
        step("files", SwitchProgram::files);
        step("links", SwitchProgram::links);
        step("channels", SwitchProgram::channels);
        step("asynchronous", SwitchProgram::asynchronous);
        step("walk", SwitchProgram::walk);
        step("temporary", SwitchProgram::temporary);
        step("uris", SwitchProgram::uris);
        step("zip", SwitchProgram::zip);
        step("watch", SwitchProgram::watch);
        step("jrt", SwitchProgram::jrt);
        step("class loader", SwitchProgram::classLoader);
        step("services", SwitchProgram::services);
        step("process", SwitchProgram::process);
        step("resource", SwitchProgram::resource);
        step("recording", SwitchProgram::recording);
        step("security", SwitchProgram::security);
    }

    private static void step(String name, Callable<?> work) {
        Object result;
        try {
            result = work.call();
        } catch (Throwable e) {
            result = "throws " + e;
        }
        System.out.println(name + ": " + result);
    }

    private static Object files() throws Exception {
        Path file = Files.writeString(directory.resolve("a"), "text\nmore\n");
        Files.copy(file, directory.resolve("b"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(directory.resolve("b"), directory.resolve("c"));
        Files.createDirectories(directory.resolve("d/e"));
        return Files.readAllLines(directory.resolve("c"))
                + " "
                + Files.size(file)
                + Files.exists(directory.resolve("b"))
                + Files.isDirectory(directory.resolve("d"))
                + new File(directory.toFile(), "c").toPath().equals(directory.resolve("c"));
    }

    private static Object links() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("l"), Path.of("a"));
        return Files.readSymbolicLink(link)
                + " "
                + link.toRealPath()
                + Files.isSameFile(link, directory.resolve("a"));
    }

    private static Object channels() throws Exception {
        Path file = directory.resolve("channel");
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            channel.write(StandardCharsets.UTF_8.encode("0123456789"));
            try (var lock = channel.tryLock()) {
                var map = channel.map(FileChannel.MapMode.READ_ONLY, 3, 4);
                return lock.isValid()
                        + StandardCharsets.UTF_8.decode(map).toString()
                        + channel.size();
            }
        }
    }

    private static Object asynchronous() throws Exception {
        try (var channel = AsynchronousFileChannel.open(directory.resolve("channel"))) {
            return channel.read(ByteBuffer.allocate(100), 4).get();
        }
    }

    private static Object walk() throws Exception {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.map(path -> directory.relativize(path).toString()).sorted().toList();
        }
    }

    private static Object temporary() throws Exception {
        Path file = Files.createTempFile("mio", ".x");
        Path inDirectory = Files.createTempFile(directory, "mio", ".x");
        Path made = Files.createTempDirectory("mio");
        String modes = "";
        for (Path path : new Path[] {file, inDirectory, made}) {
            modes += PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) + " ";
            Files.delete(path);
        }
        return modes;
    }

    /** java.io.File gives the URI with one slash, which the platform treats differently. */
    private static Object uris() {
        Path one = Path.of(URI.create("file:" + directory));
        Path three = Path.of(directory.toUri());
        Path file = Path.of(directory.toFile().toURI());
        return one.equals(three)
                + " "
                + file.equals(directory)
                + one.resolve(three).equals(directory.resolve(file))
                + one.getClass().equals(directory.getClass())
                + directory.toUri();
    }

    private static Object zip() throws Exception {
        Path file = directory.resolve("z.zip");
        try (var zip =
                FileSystems.newFileSystem(
                        URI.create("jar:" + file.toUri()), Map.of("create", "true"))) {
            Files.copy(directory.resolve("a"), zip.getPath("/in"));
        }
        try (var zip = FileSystems.newFileSystem(file)) {
            return Files.readString(zip.getPath("/in")).length() + zip.provider().getScheme();
        }
    }

    private static Object watch() throws Exception {
        Path watched = Files.createDirectory(directory.resolve("watched"));
        try (var watcher = FileSystems.getDefault().newWatchService()) {
            var key = watched.register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
            Files.createFile(watched.resolve("new"));
            var taken = watcher.poll(30, TimeUnit.SECONDS);
            var event = taken.pollEvents().get(0);
            return (taken == key)
                    + " "
                    + event.kind()
                    + watched.resolve((Path) event.context()).equals(watched.resolve("new"))
                    + (taken.watchable() == watched);
        }
    }

    private static Object jrt() throws Exception {
        Path object = Path.of(URI.create("jrt:/java.base/java/lang/Object.class"));
        return Files.exists(object) + " " + (Files.readAllBytes(object).length > 100);
    }

    private static Object classLoader() throws Exception {
        URL[] urls = {directory.resolve("z.zip").toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, null);
                var in = loader.getResourceAsStream("in")) {
            return in.readAllBytes().length;
        }
    }

    private static Object services() {
        boolean zip = false;
        for (FileSystemProvider provider : FileSystemProvider.installedProviders()) {
            zip |= provider.getScheme().equals("jar");
        }
        boolean services = ServiceLoader.load(java.nio.file.spi.FileTypeDetector.class) != null;
        return zip + " " + services + FileSystemProvider.installedProviders().get(0).getScheme();
    }

    private static Object process() throws Exception {
        Path out = directory.resolve("out");
        Process process =
                new ProcessBuilder("pwd")
                        .directory(directory.toFile())
                        .redirectOutput(out.toFile())
                        .start();
        return process.waitFor() + Files.readString(out).strip();
    }

    private static Object resource() throws Exception {
        String name = SwitchProgram.class.getSimpleName() + ".class";
        try (var in = SwitchProgram.class.getResourceAsStream(name)) {
            return in.readAllBytes().length > 100;
        }
    }

    private static Object recording() throws Exception {
        if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
            return true;
        }
        Class<?> type = Class.forName("jdk.jfr.Recording");
        Path file = directory.resolve("r.jfr");
        try (var recording = (java.io.Closeable) type.getConstructor().newInstance()) {
            type.getMethod("start").invoke(recording);
            type.getMethod("dump", Path.class).invoke(recording, file);
        }
        return Files.size(file) > 0;
    }

    private static Object security() throws Exception {
        return java.security.MessageDigest.getInstance("SHA-256")
                        .digest(Files.readAllBytes(directory.resolve("a")))
                        .length
                + " "
                + new java.security.SecureRandom().generateSeed(3).length;
    }
}
