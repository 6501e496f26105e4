package io.mio.events;

/**
 * A file whose events are recorded: an open as one trace layer saw it, or the pages of a file.
 *
 * @param id in the events, above 0
 * @param layer {@link EventFormat#OF_TRACE} or {@link EventFormat#OF_PF}
 * @param place of the layer in the stack; 1: first below the program
 * @param process that opened it
 * @param openedNanos since time zero
 * @param device with the inode number the identity of the file; 0 if not known
 * @param inode see device
 * @param oflags as Linux numbers them
 * @param mode permission bits, -1 if not known
 * @param sizeBytes just after the open
 * @param pageBytes of pf, else 0
 * @param frames of the cache, 0 for trace
 * @param cache which cache of its process, 0 for trace
 * @param sample one call in this many is recorded
 * @param path name as the program gave it
 * @param name of the layer as typed
 * @param above name of the layer above
 * @param below name of the layer below
 */
public record EventFile(
        int id,
        int layer,
        int place,
        long process,
        long openedNanos,
        long device,
        long inode,
        int oflags,
        int mode,
        long sizeBytes,
        long pageBytes,
        long frames,
        long cache,
        long sample,
        String path,
        String name,
        String above,
        String below) {}
