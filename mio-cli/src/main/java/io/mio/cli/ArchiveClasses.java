package io.mio.cli;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;

/**
 * Run by the launcher when it has the JVM make an archive of classes, from which later commands
 * start faster: loads what commands use, and does nothing else. No command is run, so it takes no
 * files and no settings.
 */
final class ArchiveClasses {
    private ArchiveClasses() {}

    /** No arguments; the class path is the jar. */
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
     * Loads and does not initialise: the JVM archives classes in the old format of picocli only as
     * long as nobody has used them.
     */
    private static void load(String name) {
        try {
            Class.forName(name.replace('/', '.'), false, ArchiveClasses.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            // One for a newer JVM, say: the archive does without it.
            return;
        }
    }
}
