package io.mio.layer;

/**
 * Identity of a file in this process, whatever its names: device and inode number. Valid as long as
 * the file is open; once the file is gone, another one may get its inode number.
 */
public record FileKey(long device, long inode) {
    // The methods that a record generates cost a starting JVM ten milliseconds.

    @Override
    public boolean equals(Object other) {
        return other instanceof FileKey key && device == key.device && inode == key.inode;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * device + inode);
    }
}
