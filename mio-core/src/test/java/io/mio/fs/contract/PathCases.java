package io.mio.fs.contract;

import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Operations on names, which touch no file. */
public final class PathCases {
    private static final String[] PARTS = {
        "a", "b", "c.txt", ".", "..", "", "\u00e9", " ", "%20", "a b", "#?", "..a", "A"
    };

    private PathCases() {}

    public static List<FsCase> all() {
        return List.of(
                new FsCase("should give itself where the platform's path does", PathCases::itself),
                new FsCase(
                        "should refuse bad arguments as the platform's path does", PathCases::bad));
    }

    private static void itself(Path dir, Path other, Script script) {
        Path relative = dir.getFileSystem().getPath("a/b");
        Path empty = dir.getFileSystem().getPath("");
        script.step("absolute", () -> dir.toAbsolutePath() == dir);
        script.step("normal", () -> dir.normalize() == dir);
        script.step("resolve absolute", () -> relative.resolve(dir) == dir);
        script.step("resolve empty", () -> dir.resolve(empty) == dir);
        script.step("empty resolve", () -> empty.resolve(relative) == relative);
        script.step("name", () -> relative.getFileName().getFileName() == relative.getFileName());
        script.step("one name", () -> empty.getFileName() == empty);
        script.step("sibling", () -> relative.resolveSibling(dir) == dir);
        script.step("relativize", () -> empty.relativize(relative) == relative);
        script.step("file", () -> dir.toFile().toPath().toString());
        script.step("file name", () -> relative.toFile().getPath());
    }

    private static void bad(Path dir, Path other, Script script) {
        Path nothing = null;
        String noText = null;
        script.step("resolve", () -> dir.resolve(nothing));
        script.step("resolve text", () -> dir.resolve(noText));
        script.step("resolve foreign", () -> dir.resolve(other));
        script.step("sibling", () -> dir.resolveSibling(nothing));
        script.step("sibling text", () -> dir.resolveSibling(noText));
        script.step("sibling foreign", () -> dir.resolveSibling(other));
        script.step("root sibling foreign", () -> dir.getRoot().resolveSibling(other) == other);
        script.step("relativize", () -> dir.relativize(nothing));
        script.step("relativize foreign", () -> dir.relativize(other));
        script.step("starts", () -> dir.startsWith(nothing));
        script.step("starts text", () -> dir.startsWith(noText));
        script.step("starts foreign", () -> dir.startsWith(other));
        script.step("ends", () -> dir.endsWith(nothing));
        script.step("ends text", () -> dir.endsWith(noText));
        script.step("ends foreign", () -> dir.endsWith(other));
        script.step("compare", () -> dir.compareTo(nothing));
        script.step("compare foreign", () -> dir.compareTo(other));
        script.step("equals null", () -> dir.equals(nothing));
        script.step("equals foreign", () -> dir.equals(other));
        script.step("name", () -> dir.getName(-1));
        script.step("name 2", () -> dir.getName(1000));
        script.step("sub", () -> dir.subpath(1, 1));
        script.step("real", () -> dir.toRealPath((java.nio.file.LinkOption) null));
        script.step("iterator", () -> dir.getRoot().iterator().next());
        script.run("remove", () -> dir.iterator().remove());
    }

    /** Random operations on a growing pool of paths; the same seed gives the same operations. */
    public static void random(Path dir, long seed, int rounds, Script script) {
        Random random = new Random(seed);
        FileSystem fileSystem = dir.getFileSystem();
        List<Path> pool = new ArrayList<>();
        pool.add(dir);
        for (int round = 0; round < rounds; round++) {
            if (pool.size() < 4 || random.nextInt(6) == 0) {
                add(pool, fileSystem, text(random));
            }
            if (pool.size() > 60) {
                pool.subList(0, 30).clear();
            }
            Path a = pool.get(random.nextInt(pool.size()));
            Path b = pool.get(random.nextInt(pool.size()));
            String text = text(random);
            int i = random.nextInt(5) - 1;
            int j = random.nextInt(5) - 1;
            int operation = random.nextInt(28);
            script.step(
                    round + ": " + operation + " '" + a + "' '" + b + "' '" + text + "' " + i + " "
                            + j,
                    () -> {
                        Object result = apply(operation, a, b, text, i, j);
                        if (result instanceof Path path && path.toString().length() < 200) {
                            pool.add(path);
                        }
                        return result;
                    });
        }
    }

    /**
     * Leaves out what the locale cannot name; a file system that differs goes on with other paths.
     */
    private static void add(List<Path> pool, FileSystem fileSystem, String text) {
        try {
            pool.add(fileSystem.getPath(text));
        } catch (InvalidPathException beyondTheLocale) {
            // Both file systems leave it out.
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? "/" : "");
        int parts = random.nextInt(5);
        for (int i = 0; i < parts; i++) {
            text.append(PARTS[random.nextInt(PARTS.length)]);
            text.append(random.nextInt(6) == 0 ? "//" : i + 1 < parts ? "/" : "");
        }
        return text.toString();
    }

    private static Object apply(int operation, Path a, Path b, String text, int i, int j)
            throws Exception {
        return switch (operation) {
            case 0 -> a.resolve(b);
            case 1 -> a.resolve(text);
            case 2 -> a.resolveSibling(b);
            case 3 -> a.resolveSibling(text);
            case 4, 5 -> a.relativize(b);
            case 6 -> a.normalize();
            case 7 -> a.getParent();
            case 8 -> a.getFileName();
            case 9 -> a.getRoot();
            case 10 -> a.getName(i);
            case 11, 12 -> a.subpath(i, j);
            case 13 -> a.startsWith(b);
            case 14 -> a.startsWith(text);
            case 15 -> a.endsWith(b);
            case 16 -> a.endsWith(text);
            case 17 -> Integer.signum(a.compareTo(b));
            case 18 -> a.equals(b) + " " + (a.hashCode() == b.hashCode());
            case 19 -> a.isAbsolute();
            case 20 -> a.getNameCount();
            case 21 -> a.toAbsolutePath();
            case 22 -> a.toUri();
            case 23 -> Path.of(a.toFile().getPath()).toString();
            case 24 -> roundTrip(a);
            case 25 -> names(a);
            case 26 -> a.hashCode();
            default -> a.toString();
        };
    }

    private static Object roundTrip(Path path) {
        Path back = path.getFileSystem().provider().getPath(path.toUri());
        return back.equals(path.toAbsolutePath()) + " " + back.toUri().equals(path.toUri());
    }

    private static Object names(Path path) {
        List<Path> names = new ArrayList<>();
        path.forEach(names::add);
        return names;
    }
}
