package io.mio.fs;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Loads the classes of this library, and those of JNA, before the first file is opened, where their
 * class loader may be closed earlier than the files are: it is not that of the class path, but one
 * of a part of the program, such as a web application that is stopped. Such a loader has no class
 * for the end of a file any more. On the class path each class is loaded when it is needed.
 */
final class OwnClasses {
    private static final String SUFFIX = ".class";

    private OwnClasses() {}

    /** Loads them at the first call. What cannot be found now is left for later. */
    static void keep() {
        if (!Restricted.isOn() && mayBeClosed(OwnClasses.class.getClassLoader())) {
            Loaded.done();
        }
    }

    /** False for the loaders of the class path and of the JDK, which live as long as the JVM. */
    static boolean mayBeClosed(ClassLoader loader) {
        ClassLoader lasting = ClassLoader.getSystemClassLoader();
        while (lasting != null && lasting != loader) {
            lasting = lasting.getParent();
        }
        return lasting != loader;
    }

    private static final class Loaded {
        static {
            ClassLoader own = OwnClasses.class.getClassLoader();
            load(own, "io/mio/", "io/mio/fs/OwnClasses.class");
            load(own, "com/sun/jna/", "com/sun/jna/Native.class");
        }

        /** Has the class initialised. */
        static void done() {}
    }

    /**
     * Loads all classes whose file names begin with {@code prefix}.
     *
     * @param one such a class, which tells where the others are
     */
    private static void load(ClassLoader loader, String prefix, String one) {
        URL place = loader.getResource(one);
        if (place == null) {
            return;
        }
        List<String> names;
        try {
            names = names(place, prefix, one);
        } catch (IOException | RuntimeException e) {
            // Kept in another way than in a jar or a directory.
            return;
        }
        names.forEach(name -> load(loader, name));
    }

    private static void load(ClassLoader loader, String name) {
        try {
            Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            // It needs what is not there, such as JFR, and so is not used.
            return;
        }
    }

    private static List<String> names(URL place, String prefix, String one) throws IOException {
        if (place.openConnection() instanceof JarURLConnection connection) {
            connection.setUseCaches(false);
            try (JarFile jar = connection.getJarFile()) {
                return names(jar.stream().map(ZipEntry::getName), prefix);
            }
        }
        String url = place.toString();
        Path root = Path.of(URI.create(url.substring(0, url.length() - one.length())));
        try (Stream<Path> files = Files.walk(root.resolve(prefix))) {
            return names(files.map(file -> root.relativize(file).toString()), prefix);
        }
    }

    private static List<String> names(Stream<String> files, String prefix) {
        return files.filter(name -> name.startsWith(prefix) && name.endsWith(SUFFIX))
                .map(name -> name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
                .toList();
    }
}
