package io.mio.layer;

/**
 * What a layer may know of the file it is opened for.
 *
 * @param name the name as the program gave it, for reports and messages
 * @param oflags open flags as Linux numbers them on this architecture, for reports
 * @param mode permission bits, or -1 where unknown
 * @param sizeBytes size just after the open
 * @param openedNanos {@link System#nanoTime} before the open
 * @param openNanos time the open took
 * @param place what is known of the file system it lies on; asked for only when needed
 */
public record OpenRequest(
        String name,
        int oflags,
        int mode,
        long sizeBytes,
        long openedNanos,
        long openNanos,
        Place place) {

    /** True if opened for direct I/O. */
    public boolean isDirect() {
        return (oflags & OpenFlags.DIRECT) != 0;
    }

    /** The same open, of a file whose smallest direct transfer somebody set. */
    public OpenRequest withSector(long sectorBytes) {
        Place asked = place;
        Place set =
                new Place() {
                    @Override
                    public String type() {
                        return asked.type();
                    }

                    @Override
                    public long sectorBytes() {
                        return sectorBytes;
                    }
                };
        return new OpenRequest(name, oflags, mode, sizeBytes, openedNanos, openNanos, set);
    }

    /** The file system a file lies on. Asking may cost system calls. */
    public interface Place {
        /** Type as the kernel names it, for example {@code ext4}; {@code unknown} if not known. */
        String type();

        /** Smallest direct transfer, bytes; 0 if not known. */
        long sectorBytes();
    }
}
