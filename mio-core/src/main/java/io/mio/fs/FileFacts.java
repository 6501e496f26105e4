package io.mio.fs;

import io.mio.layer.FileKey;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What one look at a file's attributes tells.
 *
 * @param mode type and permission bits
 * @param sizeBytes as the kernel has it
 * @param device number of the device it lies on
 * @param inode its number there
 * @param changeStamp time of the last change, nanoseconds, or -1
 */
record FileFacts(int mode, long sizeBytes, long device, long inode, long changeStamp) {
    private static final int TYPE_BITS = 0170000;
    static final int TYPE_REGULAR = 0100000;
    private static final int TYPE_BLOCK_DEVICE = 0060000;
    private static final int PERMISSION_BITS = 07777;

    /** Bits of the major number in a {@code dev_t} of the C library. */
    private static final long MAJOR_BITS = 0xfffff000000fff00L;

    /**
     * Looks at a file of the platform's. Null if there is no such file, if its file system has no
     * modes and inodes, or if a security manager forbids it.
     */
    static FileFacts of(Path inner, LinkOption... options) {
        try {
            Map<String, Object> found =
                    inner.getFileSystem()
                            .provider()
                            .readAttributes(inner, "unix:mode,size,dev,ino,ctime", options);
            return new FileFacts(
                    (Integer) found.get("mode"),
                    (Long) found.get("size"),
                    (Long) found.get("dev"),
                    (Long) found.get("ino"),
                    ((FileTime) found.get("ctime")).to(TimeUnit.NANOSECONDS));
        } catch (IOException
                | UnsupportedOperationException
                | IllegalArgumentException
                | SecurityException e) {
            return null;
        }
    }

    /** Key of the file of this name, or null. */
    static FileKey key(Path inner, LinkOption... options) {
        FileFacts facts = of(inner, options);
        return facts == null ? null : facts.key();
    }

    boolean isRegular() {
        return (mode & TYPE_BITS) == TYPE_REGULAR;
    }

    /**
     * Whether the file system lies on no block device (Linux: major number 0), as the kernel's own
     * do.
     */
    boolean isOnNoDevice() {
        return (device & MAJOR_BITS) == 0;
    }

    boolean isBlockDevice() {
        return (mode & TYPE_BITS) == TYPE_BLOCK_DEVICE;
    }

    int permissions() {
        return mode & PERMISSION_BITS;
    }

    FileKey key() {
        return new FileKey(device, inode);
    }
}
