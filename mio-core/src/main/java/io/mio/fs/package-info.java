/**
 * The door of the JVM: a file system provider that hands every operation to the platform's, and
 * opens the files that a rule matches through their layers. Paths, watch keys and directory entries
 * are wrapped; attributes, file stores and principals are the platform's own objects. Read {@link
 * io.mio.fs.MioProvider} first.
 */
package io.mio.fs;
