package io.mio.info;

import io.mio.info.Fact.Group;
import io.mio.info.Fact.Unit;
import io.mio.os.FileFindings;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** Finds the facts of a file, its file system, the device below, and how MIO would read it. */
final class PathFacts {
    private static final int BLOCK_DEVICE_MODE = 0060000;
    private static final int TYPE_MODE = 0170000;

    /** The kernel's layout of the bits of a device number. */
    private static final int MAJOR_SHIFT = 8;

    private static final long MAJOR_MASK = 0xfff;
    private static final long MINOR_LOW_MASK = 0xff;
    private static final int MINOR_HIGH_SHIFT = 12;
    private static final long MINOR_HIGH_MASK = 0xfff00;

    private final FactList facts = new FactList();
    private final SystemFiles files;
    private final Helper helper;
    private final Path asked;
    private final Path real;
    private final BasicFileAttributes attributes;

    private PathFacts(SystemFiles files, Helper helper, Path asked, Path real) throws IOException {
        this.files = files;
        this.helper = helper;
        this.asked = asked;
        this.real = real;
        this.attributes = Files.readAttributes(real, BasicFileAttributes.class);
    }

    /**
     * Finds the facts of one path.
     *
     * @param asked as the user wrote it
     * @param real where it leads, without links
     */
    static List<Fact> read(SystemFiles files, Helper helper, Path asked, Path real)
            throws IOException {
        PathFacts of = new PathFacts(files, helper, asked, real);
        of.read();
        return of.facts.list();
    }

    private void read() throws IOException {
        boolean isDevice = isBlockDevice();
        FileFindings found = helper.whyNot() == null ? helper.lookAt(real.toString()) : null;
        addFile(isDevice, found);
        addIo(isDevice, found);
        MountTable.Mount mount = MountTable.read(files).of(real.toString());
        if (isDevice) {
            addDevice(deviceNumber(real));
        } else {
            addFileSystem(mount);
            addDevice(deviceOf(mount));
        }
    }

    private boolean isBlockDevice() throws IOException {
        if (!attributes.isOther()) {
            return false;
        }
        try {
            int mode = (Integer) Files.getAttribute(real, "unix:mode");
            return (mode & TYPE_MODE) == BLOCK_DEVICE_MODE;
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    private static Long deviceNumber(Path path) {
        try {
            return ((Number) Files.getAttribute(path, "unix:rdev")).longValue();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Number of the device. A file system without one, as btrfs, may still name a device. */
    private static Long deviceOf(MountTable.Mount mount) {
        if (mount == null) {
            return null;
        }
        if (mount.major() == 0 && mount.source().startsWith("/dev/")) {
            return deviceNumber(Path.of(mount.source()));
        }
        return mount.major() << MAJOR_SHIFT & MAJOR_MASK << MAJOR_SHIFT
                | mount.minor() & MINOR_LOW_MASK
                | (mount.minor() & ~MINOR_LOW_MASK) << MINOR_HIGH_SHIFT;
    }

    private void addDevice(Long number) {
        if (number == null) {
            facts.group(Group.DEVICE).text("name", "device", null);
            return;
        }
        long major = number >> MAJOR_SHIFT & MAJOR_MASK;
        long minor = number & MINOR_LOW_MASK | number >> MINOR_HIGH_SHIFT & MINOR_HIGH_MASK;
        DeviceFacts.add(facts, files, major, minor);
    }

    private void addFile(boolean isDevice, FileFindings found) throws IOException {
        facts.group(Group.FILE)
                .text("path", "path", asked.toString(), null)
                .text("real_path", "without links", real.toString(), null)
                .text("kind", "kind", kind(isDevice), null);
        if (!attributes.isRegularFile() && !isDevice) {
            return;
        }
        Long size = isDevice ? deviceBytes() : Long.valueOf(attributes.size());
        facts.number("size_bytes", "size", Unit.BYTES, size);
        if (attributes.isRegularFile()) {
            addFound("extents", "extents", Unit.COUNT, found == null ? null : found.extents());
        }
        Long resident = found == null ? null : found.residentBytes();
        addFound("resident_bytes", "in the page cache", Unit.BYTES, resident);
        if (size != null && size > 0 && resident != null && resident >= 0) {
            // The last page may reach beyond the end of the file.
            Double share = Math.min(1.0, (double) resident / size);
            facts.number("resident_share", "share of it there", Unit.SHARE, share);
        }
        addFound(
                "dirty_bytes",
                "not written yet",
                Unit.BYTES,
                found == null ? null : found.dirtyBytes());
    }

    private String kind(boolean isDevice) {
        if (attributes.isDirectory()) {
            return "directory";
        }
        if (attributes.isRegularFile()) {
            return "regular file";
        }
        return isDevice ? "block device" : "neither file nor directory";
    }

    private Long deviceBytes() {
        Long number = deviceNumber(real);
        if (number == null) {
            return null;
        }
        long major = number >> MAJOR_SHIFT & MAJOR_MASK;
        long minor = number & MINOR_LOW_MASK | number >> MINOR_HIGH_SHIFT & MINOR_HIGH_MASK;
        Long sectors = files.number("/sys/dev/block/" + major + ":" + minor + "/size");
        return sectors == null ? null : sectors * 512;
    }

    /** Adds a number of the helper's: null without a helper, negative where it is not known. */
    private void addFound(String name, String label, Unit unit, Long found) {
        if (found == null) {
            facts.number(name, label, unit, null, EngineFacts.noHelper(helper));
        } else if (found < 0) {
            facts.number(name, label, unit, null, why(found));
        } else {
            facts.number(name, label, unit, found, null);
        }
    }

    private String why(long negative) {
        return negative == FileFindings.NOTHING
                ? SystemFiles.UNTOLD
                : helper.errorText((int) -negative);
    }

    private void addIo(boolean isDevice, FileFindings found) {
        facts.group(Group.IO);
        if (!isDevice && !attributes.isRegularFile() && !attributes.isDirectory()) {
            facts.text("engine", "engine", null, "MIO serves regular files and block devices only");
            return;
        }
        String whyNoRing = EngineFacts.whyNoRing(files, helper);
        if (whyNoRing == null && found != null && found.place() == FileFindings.REMOTE) {
            whyNoRing = "the file system is another machine's or a program's";
        } else if (whyNoRing == null && found != null && found.place() == FileFindings.SHARED) {
            whyNoRing = "the file system is shared with other machines";
        }
        if (isDevice) {
            facts.text("engine", "engine", null, "no page requests: a block device has no cache");
        } else {
            facts.text("engine", "engine", EngineFacts.engine(whyNoRing), whyNoRing);
        }
        if (found == null) {
            facts.yesNo("direct_io", "direct I/O", null, EngineFacts.noHelper(helper));
        } else {
            addDirect(found);
        }
    }

    private void addDirect(FileFindings found) {
        String whyNot = null;
        if (found.place() == FileFindings.MEMORY) {
            whyNot = "the file system is in memory";
        } else if (found.place() == FileFindings.REMOTE) {
            whyNot = "the file system is another machine's or a program's";
        } else if (found.directOffsetBytes() == 0) {
            whyNot = "the file system says so";
        }
        if (whyNot != null) {
            facts.yesNo("direct_io", "direct I/O", false, whyNot + "; pf/direct is buffered here");
            return;
        }
        if (found.directOffsetBytes() < 0) {
            String why =
                    found.directOffsetBytes() == FileFindings.NOTHING
                            ? "the file system does not tell; found by trying, at an open"
                            : why(found.directOffsetBytes());
            facts.yesNo("direct_io", "direct I/O", null, why);
            return;
        }
        facts.yesNo("direct_io", "direct I/O", true, null)
                .number(
                        "direct_memory_align_bytes",
                        "alignment of memory",
                        Unit.BYTES,
                        found.directMemoryBytes())
                .number(
                        "direct_offset_align_bytes",
                        "alignment of offset, length",
                        Unit.BYTES,
                        found.directOffsetBytes());
    }

    private void addFileSystem(MountTable.Mount mount) {
        facts.group(Group.FILE_SYSTEM)
                .text("type", "type", mount == null ? null : mount.type())
                .text("mount_point", "mounted on", mount == null ? null : mount.point())
                .text("source", "source", mount == null ? null : mount.source())
                .text(
                        "options",
                        "options",
                        mount == null ? null : String.join(",", mount.options()));
        try {
            FileStore store = Files.getFileStore(real);
            facts.number("block_bytes", "block", Unit.BYTES, store.getBlockSize())
                    .number("size_bytes", "size", Unit.BYTES, store.getTotalSpace())
                    .number("free_bytes", "free for you", Unit.BYTES, store.getUsableSpace());
        } catch (IOException | UnsupportedOperationException e) {
            facts.number("free_bytes", "free for you", Unit.BYTES, null, e.getMessage());
        }
    }
}
