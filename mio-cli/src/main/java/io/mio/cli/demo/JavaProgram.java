package io.mio.cli.demo;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@link AlotBuf} in a JVM of its own whose default file system provider is MIO. */
public final class JavaProgram implements DemoProgram {
    private static final long MIB = 1024 * 1024;

    /** Heap of the program: it needs little, and a cgroup is small. */
    private static final long HEAP_MIB = 64;

    /** Memory outside the heap: pf's cache and some room; the program's two records on top. */
    private static final long DIRECT_MIB = 192;

    /**
     * Returns the command as a user would give it; the switches are in the command, not in the
     * environment.
     */
    @Override
    public List<String> command(Map<String, String> settings, int recordBytes) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + HEAP_MIB + "m");
        command.add("-XX:MaxDirectMemorySize=" + (DIRECT_MIB * MIB + 2L * recordBytes));
        // Otherwise the JVM chooses a collector by memory and processors.
        command.add("-XX:+UseSerialGC");
        command.add("-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider");
        settings.forEach((key, value) -> command.add("-Dmio." + key + "=" + value));
        command.add("-cp");
        command.add(absoluteClassPath());
        command.add(AlotBuf.class.getName());
        return command;
    }

    @Override
    public void prepare(Map<String, String> settings, Map<String, String> environment) {}

    /** Returns absolute paths, as the run has another working directory than this process. */
    private static String absoluteClassPath() {
        StringBuilder classPath = new StringBuilder();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                classPath.append(classPath.isEmpty() ? "" : File.pathSeparator);
                classPath.append(new File(entry).getAbsolutePath());
            }
        }
        return classPath.toString();
    }

    @Override
    public void close() {}
}
