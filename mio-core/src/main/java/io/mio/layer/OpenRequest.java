package io.mio.layer;

import java.util.concurrent.Executor;

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
 * @param key identity of the file, or null where that cannot be found out
 * @param executor where asynchronous requests of the program run, or null: in the caller's thread
 * @param interruptible whether an interrupt ends the program's calls and closes the file, as for
 *     channels; false for streams, and where requests run on other threads than the program's
 * @param cacheable whether the last layer takes page requests; if not, the file has no cache
 * @param blindPages whether page requests cannot read: all writes go down at once
 * @param directPages whether aligned page requests are direct I/O, however the program opened it
 * @param platform what the platform opened for it
 * @param descriptors counts the descriptors that the process has of the file
 * @param kernelCache the kernel's cache of it; {@link NoKernelCache#PLAIN} where nobody asks for it
 */
public record OpenRequest(
        String name,
        int oflags,
        int mode,
        long sizeBytes,
        long openedNanos,
        long openNanos,
        Place place,
        FileKey key,
        Executor executor,
        boolean interruptible,
        boolean cacheable,
        boolean blindPages,
        boolean directPages,
        PlatformObjects platform,
        Descriptors descriptors,
        KernelCache kernelCache) {

    /** An open without objects of the platform. */
    public OpenRequest(
            String name,
            int oflags,
            int mode,
            long sizeBytes,
            long openedNanos,
            long openNanos,
            Place place,
            FileKey key,
            Executor executor,
            boolean interruptible,
            boolean cacheable,
            boolean directPages) {
        this(
                name,
                oflags,
                mode,
                sizeBytes,
                openedNanos,
                openNanos,
                place,
                key,
                executor,
                interruptible,
                cacheable,
                false,
                directPages,
                PlatformObjects.NONE,
                Descriptors.NONE,
                NoKernelCache.PLAIN);
    }

    /** An open by a channel, of a file without a key and without a cache. */
    public OpenRequest(
            String name,
            int oflags,
            int mode,
            long sizeBytes,
            long openedNanos,
            long openNanos,
            Place place) {
        this(
                name,
                oflags,
                mode,
                sizeBytes,
                openedNanos,
                openNanos,
                place,
                null,
                null,
                true,
                false,
                false);
    }

    /** True if the file was opened for direct I/O. */
    public boolean isDirect() {
        return (oflags & OpenFlags.DIRECT) != 0;
    }

    /** Returns the same open with another sector size, set by the rule. */
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

                    @Override
                    public long changeStamp() {
                        return asked.changeStamp();
                    }
                };
        return with(oflags, set);
    }

    /** The same open as a layer below the cache sees it. */
    public OpenRequest belowCache() {
        return directPages ? withFlags(oflags | OpenFlags.DIRECT) : this;
    }

    /** The same open with other flags. */
    public OpenRequest withFlags(int newFlags) {
        return with(newFlags, place);
    }

    private OpenRequest with(int newFlags, Place newPlace) {
        return new OpenRequest(
                name,
                newFlags,
                mode,
                sizeBytes,
                openedNanos,
                openNanos,
                newPlace,
                key,
                executor,
                interruptible,
                cacheable,
                blindPages,
                directPages,
                platform,
                descriptors,
                kernelCache);
    }

    /** The file system a file lies on. Its methods may cost system calls. */
    public interface Place {
        /** Type as the kernel names it, for example {@code ext4}; {@code unknown} if not known. */
        String type();

        /** Size of a sector, bytes; 0 if not known. */
        long sectorBytes();

        /**
         * A number that changes when the file is changed, made of its change time; -1 if it is not
         * known, or if the file's name leads to another file by now.
         */
        default long changeStamp() {
            return -1;
        }
    }
}
