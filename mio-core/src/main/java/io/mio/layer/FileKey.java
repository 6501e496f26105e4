package io.mio.layer;

/**
 * What a file is known by in this process, whatever its names: device and inode number. Holds as
 * long as the file is open; a number may be given to another file once it is gone.
 */
public record FileKey(long device, long inode) {}
