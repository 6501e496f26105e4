package io.mio.fs;

import io.mio.config.LayerKind;
import io.mio.config.LayerSpec;
import io.mio.config.MioOption;
import io.mio.config.OsOption;
import io.mio.config.PfOption;
import io.mio.config.StackSpec;
import io.mio.layer.OpenFlags;
import io.mio.os.Backends;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a rule asks of the open itself: options of the first and the last layer that no layer can
 * carry out, because the file is opened before there are layers. Only {@link #of} reads them from
 * the rule.
 *
 * @param osName name of the last layer as typed, else {@code os}
 * @param truncates whether truncate calls are issued
 * @param mode permission bits for files that are made, or -1: as the program asks
 * @param osync true adds {@code O_SYNC}, false takes it and {@code O_DSYNC} away, null: as the
 *     program asks
 * @param buffered true takes {@code O_DIRECT} away
 * @param wish what page requests need; null where nothing asks for any: no cache, no {@code
 *     mio/direct}, no recov
 * @param direct {@code mio/direct}: direct I/O for all layers, not only below a cache
 * @param hints {@code pf/auto}: the kernel is told what will be read
 */
record FrontOptions(
        String osName,
        boolean truncates,
        int mode,
        Boolean osync,
        boolean buffered,
        Backends.Wish wish,
        boolean direct,
        boolean hints) {
    /** Value of {@link #mode} where the program decides. */
    static final int MODE_OF_PROGRAM = -1;

    /** Returns what a rule asks of the open itself. */
    static FrontOptions of(StackSpec spec) {
        List<LayerSpec> layers = spec.layers();
        LayerSpec front = layers.get(0);
        LayerSpec os = layers.get(layers.size() - 1);
        return new FrontOptions(
                os.typedName(),
                os.isOn(OsOption.TRUNC),
                front.isOn(MioOption.MODE) ? (int) front.number(MioOption.MODE) : MODE_OF_PROGRAM,
                front.isSet(MioOption.OSYNC) ? front.isOn(MioOption.OSYNC) : null,
                front.isSet(MioOption.DIRECT) && !front.isOn(MioOption.DIRECT),
                wish(layers, front.isOn(MioOption.DIRECT)),
                front.isOn(MioOption.DIRECT),
                hints(layers));
    }

    private static boolean hints(List<LayerSpec> layers) {
        for (LayerSpec layer : layers) {
            if (layer.isAuto()) {
                return true;
            }
        }
        return false;
    }

    /** What page requests need. Direct I/O without a cache is done in the caller's thread. */
    private static Backends.Wish wish(List<LayerSpec> layers, boolean mioDirect) {
        boolean needed = mioDirect;
        boolean direct = mioDirect;
        boolean uncached = false;
        boolean asynchronous = false;
        boolean unpaged = true;
        for (LayerSpec layer : layers) {
            // A stream does not tell how much of a failed write arrived: recov needs positions.
            boolean cache = layer.isCache();
            needed |= cache || layer.kind() == LayerKind.RECOV;
            unpaged &= !cache;
            if (cache) {
                direct |= layer.isOn(PfOption.DIRECT);
                uncached = layer.isOn(PfOption.UNCACHED);
                asynchronous = layer.isOn(PfOption.ASYNCHRONOUS);
            }
        }
        return needed ? new Backends.Wish(direct, uncached, asynchronous, unpaged) : null;
    }

    boolean setsMode() {
        return mode != MODE_OF_PROGRAM;
    }

    /** The open options as the rule wants them; the same set if the rule changes nothing. */
    Set<? extends OpenOption> options(Set<? extends OpenOption> asked) {
        boolean writes =
                asked.contains(StandardOpenOption.WRITE)
                        || asked.contains(StandardOpenOption.APPEND);
        if (!buffered && (osync == null || !writes)) {
            return asked;
        }
        Set<OpenOption> options = new HashSet<>();
        for (OpenOption option : asked) {
            boolean waits = option == StandardOpenOption.SYNC || option == StandardOpenOption.DSYNC;
            boolean dropped =
                    (buffered && OpenFlags.isDirect(option)) || (waits && osync != null && !osync);
            if (!dropped) {
                options.add(option);
            }
        }
        if (writes && osync != null && osync) {
            options.add(StandardOpenOption.SYNC);
        }
        return options;
    }

    /** Returns the attributes of a new file with {@link #mode} applied. */
    FileAttribute<?>[] attributes(FileAttribute<?>... asked) {
        if (!setsMode()) {
            return asked;
        }
        int kept = 0;
        FileAttribute<?>[] attributes = new FileAttribute<?>[asked.length + 1];
        for (FileAttribute<?> attribute : asked) {
            if (!attribute.name().equals("posix:permissions")) {
                attributes[kept++] = attribute;
            }
        }
        attributes[kept++] = PosixFilePermissions.asFileAttribute(permissions());
        return Arrays.copyOf(attributes, kept);
    }

    /** The permissions of {@link #mode}. The enum lists them from the owner's read, bit 8, down. */
    private Set<PosixFilePermission> permissions() {
        Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
        int bit = 0400;
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & bit) != 0) {
                set.add(permission);
            }
            bit >>= 1;
        }
        return set;
    }
}
