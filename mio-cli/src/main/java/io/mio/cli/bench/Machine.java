package io.mio.cli.bench;

import io.mio.info.Fact;
import io.mio.info.Facts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * The machine that figures come from. Texts may hold any characters; what is not known is null.
 *
 * @param directAlignBytes alignment of offsets and lengths for direct I/O, if the file system tells
 */
public record Machine(
        String kernel,
        String architecture,
        Long processors,
        Long memoryBytes,
        String jvm,
        String mio,
        String fileSystem,
        String mountOptions,
        String device,
        Boolean rotational,
        Long directAlignBytes) {
    /**
     * Returns this machine.
     *
     * @param dir where the files are
     */
    public static Machine of(Path dir) throws IOException {
        List<Fact> own = Facts.ofMachine();
        List<Fact> there = Facts.of(dir);
        Function<String, String> text = name -> (String) value(own, Fact.Group.MACHINE, name);
        return new Machine(
                text.apply("kernel"),
                text.apply("architecture"),
                (Long) value(own, Fact.Group.MACHINE, "processors"),
                (Long) value(own, Fact.Group.MEMORY, "memory_bytes"),
                text.apply("jvm"),
                text.apply("mio"),
                (String) value(there, Fact.Group.FILE_SYSTEM, "type"),
                (String) value(there, Fact.Group.FILE_SYSTEM, "options"),
                (String) value(there, Fact.Group.DEVICE, "name"),
                (Boolean) value(there, Fact.Group.DEVICE, "rotational"),
                (Long) value(there, Fact.Group.IO, "direct_offset_align_bytes"));
    }

    private static Object value(List<Fact> facts, Fact.Group group, String name) {
        for (Fact fact : facts) {
            if (fact.group() == group && fact.name().equals(name)) {
                return fact.value();
            }
        }
        return null;
    }
}
