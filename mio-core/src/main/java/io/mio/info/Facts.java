package io.mio.info;

import io.mio.info.Fact.Group;
import io.mio.info.Fact.Unit;
import io.mio.stats.MioVersion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Finds out what MIO has to work with. Changes nothing. */
public final class Facts {
    private Facts() {}

    /**
     * This machine and this process: kernel, JVM, engine, memory, limits. Never fails; what cannot
     * be found out is a fact without a value.
     */
    public static List<Fact> ofMachine() {
        return ofMachine(new SystemFiles(new File("/")), Helper.ofProcess());
    }

    static List<Fact> ofMachine(SystemFiles files, Helper helper) {
        FactList facts = new FactList();
        String release = files.text("/proc/sys/kernel/osrelease");
        facts.group(Group.MACHINE)
                .text("kernel", "kernel", release == null ? null : "Linux " + release)
                .text("architecture", "architecture", System.getProperty("os.arch"))
                .number(
                        "processors",
                        "processors",
                        Unit.COUNT,
                        (long) Runtime.getRuntime().availableProcessors())
                .text("jvm", "JVM", jvm())
                .text("mio", "MIO", MioVersion.NUMBER);
        EngineFacts.add(facts, files, helper);
        MemoryFacts.add(facts, files, MountTable.read(files));
        return facts.list();
    }

    private static String jvm() {
        return String.join(
                " ",
                System.getProperty("java.vm.name"),
                System.getProperty("java.runtime.version"),
                "in",
                System.getProperty("java.home"));
    }

    /**
     * Finds the facts of a file, directory or block device, its file system and its device. A
     * regular file is opened for reading; the system then drops the POSIX locks this process has on
     * it.
     *
     * @param path of the platform's file system; links are followed
     * @throws java.nio.file.NoSuchFileException if it is not there
     * @throws java.nio.file.AccessDeniedException if this user may not look it up; a file that may
     *     not be read is no error
     * @throws IOException if it cannot be looked up
     */
    public static List<Fact> of(Path path) throws IOException {
        // Done first: for a name that leads nowhere the helper need not be loaded.
        Path real = path.toRealPath();
        return PathFacts.read(new SystemFiles(new File("/")), Helper.ofProcess(), path, real);
    }
}
