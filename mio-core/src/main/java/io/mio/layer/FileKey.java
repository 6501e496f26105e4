package io.mio.layer;

/**
 * What a file is known by in this process, whatever its names: device and inode number. Holds as
 * long as the file is open; a number may be given to another file once it is gone.
 */
public record FileKey(long device, long inode) {
    // A record's own two cost a starting JVM ten milliseconds.

    @Override
    public boolean equals(Object other) {
        return other instanceof FileKey key && device == key.device && inode == key.inode;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * device + inode);
    }
}
