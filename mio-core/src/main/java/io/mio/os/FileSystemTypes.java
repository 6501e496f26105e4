package io.mio.os;

/**
 * File systems that are not simply a disk of this machine, by the names that mounts have. Twin of
 * {@code os_file_system.c}, which knows them by the numbers that statfs tells.
 */
final class FileSystemTypes {
    /** One file system type; with * at its end all types that begin so. */
    record Row(String type, int place) {
        private boolean is(String name) {
            return type.endsWith("*")
                    ? name.startsWith(type.substring(0, type.length() - 1))
                    : name.equals(type);
        }
    }

    static final Row[] TABLE = {
        new Row("tmpfs", NativeCalls.PLACE_MEMORY),
        new Row("ramfs", NativeCalls.PLACE_MEMORY),
        new Row("nfs*", NativeCalls.PLACE_REMOTE),
        new Row("fuse*", NativeCalls.PLACE_REMOTE),
        new Row("cifs", NativeCalls.PLACE_REMOTE),
        new Row("smb*", NativeCalls.PLACE_REMOTE),
        new Row("9p", NativeCalls.PLACE_REMOTE),
        new Row("ceph", NativeCalls.PLACE_REMOTE),
        new Row("afs", NativeCalls.PLACE_REMOTE),
        new Row("coda", NativeCalls.PLACE_REMOTE),
        new Row("beegfs", NativeCalls.PLACE_REMOTE),
        new Row("pvfs2", NativeCalls.PLACE_REMOTE),
        new Row("lustre", NativeCalls.PLACE_SHARED),
        new Row("gpfs", NativeCalls.PLACE_SHARED),
        new Row("gfs2", NativeCalls.PLACE_SHARED),
        new Row("ocfs2", NativeCalls.PLACE_SHARED),
    };

    private FileSystemTypes() {}

    /** Returns a place of {@link NativeCalls}; 0 for a disk, and for unknown types. */
    static int place(String type) {
        for (Row row : TABLE) {
            if (row.is(type)) {
                return row.place;
            }
        }
        return 0;
    }

    /** Whether the bytes may be held elsewhere than by this kernel. */
    static boolean isElsewhere(int place) {
        return place == NativeCalls.PLACE_REMOTE || place == NativeCalls.PLACE_SHARED;
    }

    /** Whether direct I/O does not exist there, or is not what it claims to be. */
    static boolean isBuffered(int place) {
        return place == NativeCalls.PLACE_MEMORY || place == NativeCalls.PLACE_REMOTE;
    }
}
