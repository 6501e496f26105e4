package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.PlatformObjects;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;

/**
 * Counts the descriptors of a file that {@code /proc/self/fd} shows, without MIO's own. With the
 * helper that is one call. Without it the platform's file system looks at each descriptor, which
 * may ask the server of a remote file; {@code /proc/self/fdinfo} tells the access of the few that
 * are on the file. Descriptors known by number to be MIO's own or other files' are not looked at: a
 * process may have thousands.
 */
final class ProcessDescriptors implements Descriptors {
    private static final String ALL = "/proc/self/fd";
    private static final String INFO = "/proc/self/fdinfo/";
    private static final String FLAGS = "flags:";

    /** Bits of the access in the flags, the same on all machines that Java runs on. */
    private static final int ACCESS = 3;

    private static final int PATH_ONLY = 0x200000;

    private final FileKey key;
    private final FileSystem platform;

    /**
     * Counts the descriptors of one file.
     *
     * @param platform the platform's file system, or null: the helper is there
     */
    ProcessDescriptors(FileKey key, FileSystem platform) {
        this.key = key;
        this.platform = platform;
    }

    @Override
    public Count count(Iterable<PlatformObjects> others) {
        try {
            return SharedFile.withoutOwn(key, () -> unknown(others));
        } catch (SecurityException e) {
            // A security manager forbids to look.
            return null;
        }
    }

    private Count unknown(Iterable<PlatformObjects> others) {
        BitSet known = OwnNumbers.all();
        if (platform == null) {
            for (PlatformObjects each : others) {
                each.addNumbers(NativeOpening::descriptor, known);
            }
            int[] found = new int[2];
            int result =
                    NativeCalls.countDescriptors(
                            key.device(), key.inode(), known.toLongArray(), found);
            return result < 0 ? null : new Count(found[0], found[1]);
        }
        String[] numbers = new File(ALL).list();
        return numbers == null ? null : count(numbers, known);
    }

    private Count count(String[] numbers, BitSet known) {
        int readers = 0;
        int writers = 0;
        for (String number : numbers) {
            boolean looks = !known.get(Integer.parseInt(number));
            int flags = looks && isOn(platform.getPath(ALL, number)) ? flags(number) : PATH_ONLY;
            if ((flags & PATH_ONLY) == 0) {
                readers += (flags & ACCESS) == 0 ? 1 : 0;
                writers += (flags & ACCESS) == 0 ? 0 : 1;
            }
        }
        return new Count(readers, writers);
    }

    /** Whether a descriptor is on the file; false also if it was closed meanwhile. */
    private boolean isOn(Path descriptor) {
        try {
            Map<String, Object> found =
                    platform.provider().readAttributes(descriptor, "unix:dev,ino");
            return found.get("ino").equals(key.inode()) && found.get("dev").equals(key.device());
        } catch (IOException e) {
            return false;
        }
    }

    /** Flags of a descriptor; one whose flags cannot be found out counts as able to write. */
    private static int flags(String number) {
        try (FileInputStream info = new FileInputStream(INFO + number)) {
            String text = new String(info.readAllBytes(), StandardCharsets.US_ASCII);
            int at = text.indexOf(FLAGS) + FLAGS.length();
            return Integer.parseInt(text.substring(at, text.indexOf('\n', at)).trim(), 8);
        } catch (FileNotFoundException e) {
            // It was closed meanwhile, or no descriptor is left to read the file with.
            return new File(INFO + number).exists() ? ACCESS : PATH_ONLY;
        } catch (IOException | RuntimeException e) {
            return ACCESS;
        }
    }
}
