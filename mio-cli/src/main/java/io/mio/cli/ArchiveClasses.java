package io.mio.cli;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;

/**
 * Loads the classes that commands use, and does nothing else. The launcher runs this when it has
 * the JVM make an archive of classes, from which later commands start faster. No command is run, so
 * this takes no files and no settings.
 */
final class ArchiveClasses {
    private ArchiveClasses() {}

    /** Loads the classes. Takes no arguments; the class path must be the jar. */
    public static void main(String[] args) throws IOException {
        JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        mapper.readTree(mapper.writeValueAsString(Map.of("a", List.of(1, 1.5, "x", true))));
        try (JarFile jar = new JarFile(Path.of(System.getProperty("java.class.path")).toFile())) {
            jar.stream()
                    .map(entry -> entry.getName())
                    .filter(ArchiveClasses::isWanted)
                    .forEach(name -> load(name.substring(0, name.length() - ".class".length())));
        }
    }

    private static boolean isWanted(String name) {
        return name.endsWith(".class")
                && (name.startsWith("io/mio/") || name.startsWith("picocli/"));
    }

    /**
     * Loads a class without initialising it. The class files of picocli have an old format, and the
     * JVM archives such classes only as long as nobody has used them.
     */
    private static void load(String name) {
        try {
            Class.forName(name.replace('/', '.'), false, ArchiveClasses.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            // For example a class for a newer JVM: the archive does without it.
            return;
        }
    }
}
