/**
 * What this machine, a file system and a file offer: the facts by which MIO chooses its ways, read
 * from the kernel. Works without the native helper, and then says what it cannot know. Begin with
 * {@link io.mio.info.Facts}.
 */
package io.mio.info;
