package io.mio.fs.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileStoreAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The file system itself, its stores, matchers, principals and watch service; bad arguments. */
@SuppressWarnings("StreamResourceLeak") // what is expected to fail opens nothing
public final class SystemCases {
    private SystemCases() {}

    public static List<FsCase> all() {
        return List.of(
                new FsCase(
                        "should describe the file system as the platform does",
                        SystemCases::system),
                new FsCase("should match paths as the platform does", SystemCases::match),
                new FsCase("should look up the platform's principals", SystemCases::principals),
                new FsCase("should watch directories as the platform does", SystemCases::watch),
                new FsCase(
                        "should refuse bad registrations as the platform does",
                        SystemCases::badWatch),
                new FsCase("should refuse null as the platform does", SystemCases::nulls),
                new FsCase(
                        "should refuse foreign paths as the platform does", SystemCases::foreign));
    }

    private static void system(Path dir, Path other, Script script) throws Exception {
        FileSystem fileSystem = dir.getFileSystem();
        script.step("open", fileSystem::isOpen);
        script.step("read-only", fileSystem::isReadOnly);
        script.step("separator", fileSystem::getSeparator);
        script.step("roots", fileSystem::getRootDirectories);
        script.step("views", () -> new TreeSet<>(fileSystem.supportedFileAttributeViews()));
        script.step(
                "stores",
                () -> {
                    List<String> names = new ArrayList<>();
                    for (FileStore store : fileSystem.getFileStores()) {
                        names.add(store.toString());
                    }
                    return names;
                });
        script.step("store", () -> Files.getFileStore(dir).type());
        script.step("store block", () -> Files.getFileStore(dir).getBlockSize());
        script.step("store is", () -> Files.getFileStore(dir).getAttribute("totalSpace"));
        script.step(
                "store view",
                () ->
                        Files.getFileStore(dir)
                                .getFileStoreAttributeView(FileStoreAttributeView.class));
        script.step(
                "stores equal",
                () -> Files.getFileStore(dir).equals(Files.getFileStore(dir.resolve("."))));
        script.step("store missing", () -> Files.getFileStore(dir.resolve("no")));
        script.step("nul", () -> fileSystem.getPath("a\0b"));
        script.step("null path", () -> fileSystem.getPath(null));
        script.step("null more", () -> fileSystem.getPath("a", (String) null));
        script.step("nulls more", () -> fileSystem.getPath("a", (String[]) null));
        script.step("more", () -> fileSystem.getPath("/a", "", "b/", "c"));
        script.step("zip from path", () -> fileSystem.provider().newFileSystem(dir, Map.of()));
        script.step("same", () -> dir.getFileSystem() == dir.resolve("x").getFileSystem());
    }

    private static void match(Path dir, Path other, Script script) {
        FileSystem fileSystem = dir.getFileSystem();
        for (String pattern :
                List.of(
                        "glob:*.txt",
                        "glob:**/*.txt",
                        "regex:.*a.*",
                        "GLOB:a*",
                        "glob:[",
                        "regex:(",
                        "other:x",
                        "a",
                        "glob:",
                        ":x")) {
            for (String path : List.of("a.txt", "/x/a.txt", "", "/")) {
                script.step(
                        pattern + " " + path,
                        () -> fileSystem.getPathMatcher(pattern).matches(fileSystem.getPath(path)));
            }
        }
        PathMatcher matcher = fileSystem.getPathMatcher("glob:**");
        script.step("null", () -> matcher.matches(null));
        script.step("foreign", () -> matcher.matches(other));
        script.step("null pattern", () -> fileSystem.getPathMatcher(null));
    }

    private static void principals(Path dir, Path other, Script script) throws Exception {
        var lookup = dir.getFileSystem().getUserPrincipalLookupService();
        script.step("user", () -> lookup.lookupPrincipalByName("root"));
        script.step("group", () -> lookup.lookupPrincipalByGroupName("root"));
        script.step("unknown", () -> lookup.lookupPrincipalByName("no-such-user-here"));
        script.step("null", () -> lookup.lookupPrincipalByName(null));
        script.step(
                "owner",
                () ->
                        Files.getOwner(dir)
                                .equals(
                                        lookup.lookupPrincipalByName(
                                                Files.getOwner(dir).getName())));
    }

    private static void watch(Path dir, Path other, Script script) throws Exception {
        Path sub = Files.createDirectory(dir.resolve("sub"));
        try (WatchService watcher = dir.getFileSystem().newWatchService()) {
            WatchKey key =
                    sub.register(
                            watcher,
                            StandardWatchEventKinds.ENTRY_CREATE,
                            StandardWatchEventKinds.ENTRY_DELETE);
            script.step("same directory", () -> key.watchable() == sub);
            script.step("valid", key::isValid);
            script.step("nothing yet", watcher::poll);
            script.step("nothing yet either", () -> watcher.poll(0, TimeUnit.SECONDS));
            script.step(
                    "again is the same key",
                    () ->
                            sub.register(
                                            watcher,
                                            StandardWatchEventKinds.ENTRY_CREATE,
                                            StandardWatchEventKinds.ENTRY_DELETE)
                                    == key);
            Files.createFile(sub.resolve("made"));
            script.step("taken is the same key", () -> watcher.take() == key);
            script.step("events", () -> events(sub, key));
            script.step("no more", key::pollEvents);
            script.step("reset", key::reset);
            Files.delete(sub.resolve("made"));
            script.step("polled is the same key", () -> watcher.poll(20, TimeUnit.SECONDS) == key);
            script.step("events", () -> events(sub, key));
            script.step("reset", key::reset);
            Files.delete(sub);
            script.step("gone", () -> watcher.poll(20, TimeUnit.SECONDS) == key);
            script.step("reset gone", key::reset);
            script.step("valid", key::isValid);
            script.run("cancel", key::cancel);
            WatchKey second =
                    dir.register(
                            watcher,
                            new WatchEvent.Kind<?>[] {StandardWatchEventKinds.ENTRY_CREATE});
            script.run("cancel", second::cancel);
            script.step("cancelled", second::isValid);
            script.run("close", watcher::close);
            script.step("poll closed", watcher::poll);
            script.step("take closed", watcher::take);
            script.step(
                    "register closed",
                    () -> dir.register(watcher, StandardWatchEventKinds.ENTRY_CREATE));
        }
    }

    private static Object events(Path dir, WatchKey key) {
        List<Object> events = new ArrayList<>();
        for (WatchEvent<?> event : key.pollEvents()) {
            events.add(event.kind().name());
            events.add(event.kind().type());
            events.add(event.count());
            events.add(event.context());
            events.add(dir.resolve((Path) event.context()));
        }
        return events;
    }

    private static void badWatch(Path dir, Path other, Script script) throws Exception {
        Path file = FileCases.file(dir.resolve("file"), "x");
        var create = StandardWatchEventKinds.ENTRY_CREATE;
        try (WatchService watcher = dir.getFileSystem().newWatchService();
                WatchService foreign = other.getFileSystem().newWatchService()) {
            script.step("foreign", () -> dir.register(foreign, create));
            script.step("null", () -> dir.register(null, create));
            script.step("null kind", () -> dir.register(watcher, (WatchEvent.Kind<?>) null));
            script.step("null kinds", () -> dir.register(watcher, (WatchEvent.Kind<?>[]) null));
            script.step("no kind", () -> dir.register(watcher));
            script.step(
                    "null modifier",
                    () ->
                            dir.register(
                                    watcher,
                                    new WatchEvent.Kind<?>[] {create},
                                    (WatchEvent.Modifier) null));
            script.step(
                    "modifier",
                    () -> dir.register(watcher, new WatchEvent.Kind<?>[] {create}, () -> "x"));
            script.step(
                    "overflow only", () -> dir.register(watcher, StandardWatchEventKinds.OVERFLOW));
            script.step("file", () -> file.register(watcher, create));
            script.step("missing", () -> dir.resolve("no").register(watcher, create));
            script.step("null unit", () -> watcher.poll(1, null));
        }
    }

    /** Calls each operation of the provider with null for one argument after another. */
    private static void nulls(Path dir, Path other, Script script) throws Exception {
        eachArgument(dir, script, (type, good) -> null);
    }

    /** Calls each operation of the provider with a foreign path for one argument after another. */
    private static void foreign(Path dir, Path other, Script script) throws Exception {
        eachArgument(dir, script, (type, good) -> type == Path.class ? other : good);
    }

    private static void eachArgument(Path dir, Script script, Replacement replacement)
            throws Exception {
        FileSystemProvider provider = dir.getFileSystem().provider();
        Path file = FileCases.file(dir.resolve("file"), "x");
        List<Method> methods =
                new ArrayList<>(Arrays.asList(FileSystemProvider.class.getMethods()));
        methods.sort(Comparator.comparing(Method::toString));
        for (Method method : methods) {
            if (Modifier.isStatic(method.getModifiers())
                    || method.getDeclaringClass() == Object.class) {
                continue;
            }
            Class<?>[] types = method.getParameterTypes();
            for (int i = 0; i < types.length; i++) {
                Object[] arguments = new Object[types.length];
                for (int j = 0; j < types.length; j++) {
                    Object good = good(types[j], j == 0 ? file : dir.resolve("x"));
                    arguments[j] = i == j ? replacement.of(types[j], good) : good;
                }
                if (types[i] == URI.class && arguments[i] != null) {
                    continue; // its scheme differs
                }
                if (method.getName().matches("new(In|Out)putStream")
                        && arguments[0] != null
                        && ((Path) arguments[0]).getFileSystem() != dir.getFileSystem()) {
                    continue; // by mistake, the platform's method asks the path's own provider
                }
                script.step(method + " " + i, () -> closed(invoke(provider, method, arguments)));
            }
        }
        script.step("left", () -> new HashSet<>(Arrays.asList(dir.toFile().list())));
    }

    private static Object invoke(FileSystemProvider provider, Method method, Object[] arguments)
            throws Exception {
        try {
            return method.invoke(provider, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static Object closed(Object result) throws Exception {
        if (result instanceof AutoCloseable closeable && !(result instanceof FileSystem)) {
            closeable.close();
            return "closed";
        }
        return result instanceof Map ? "a map" : result instanceof FileStore ? "a store" : result;
    }

    private static Object good(Class<?> type, Path path) {
        if (type == Path.class) {
            return path;
        }
        if (type == String.class) {
            return "lastModifiedTime";
        }
        if (type == Set.class) {
            return Set.of();
        }
        if (type == Map.class) {
            return Map.of();
        }
        if (type == Class.class) {
            return java.nio.file.attribute.BasicFileAttributes.class;
        }
        if (type.isArray()) {
            return java.lang.reflect.Array.newInstance(type.getComponentType(), 0);
        }
        if (type == java.nio.file.DirectoryStream.Filter.class) {
            return (java.nio.file.DirectoryStream.Filter<Path>) entry -> true;
        }
        return null;
    }

    private interface Replacement {
        Object of(Class<?> type, Object good);
    }
}
