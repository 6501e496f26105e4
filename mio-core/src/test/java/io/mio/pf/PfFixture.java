package io.mio.pf;

import io.mio.config.StackSpec;
import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.NoKernelCache;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.layer.PlatformObjects;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** Opens cache layers over a {@link MemoryFile}, as the stack does. */
final class PfFixture {
    static final FrameMemory MEMORY =
            new FrameMemory() {
                @Override
                public FrameRange take(int count, int bytes) {
                    return new Used(count, bytes);
                }

                @Override
                public void give(FrameRange frames) {}
            };

    /** Fills frames, so that a test shows it if a page delivers what its frame held before. */
    private record Used(int count, int frameBytes) implements FrameRange {
        @Override
        public ByteBuffer frame(int at) {
            ByteBuffer frame = ByteBuffer.allocateDirect(frameBytes);
            for (int i = 0; i < frameBytes; i++) {
                frame.put(i, (byte) 0xEE);
            }
            return frame;
        }
    }

    private static final AtomicLong INODES = new AtomicLong();

    private PfFixture() {}

    static FileKey newKey() {
        return new FileKey(-7, INODES.incrementAndGet());
    }

    /** Opens a file; {@link #close} closes the open and leaves the file. */
    static PfLayer open(String options, MemoryFile below, FileKey key, int oflags)
            throws IOException {
        return open(options, (Layer) below, key, oflags, 512);
    }

    static PfLayer open(String options, Layer below, FileKey key, int oflags, int sector)
            throws IOException {
        return open(options, below, key, oflags, sector, -1, MEMORY);
    }

    /** Opens a file whose change stamp is {@code stamp}. */
    static PfLayer open(
            String options,
            Layer below,
            FileKey key,
            int oflags,
            int sector,
            long stamp,
            FrameMemory memory)
            throws IOException {
        return open(options, below, key, oflags, place(sector, stamp), memory, Descriptors.NONE);
    }

    /** Opens a file that others have open, too. */
    static PfLayer open(
            String options, Layer below, FileKey key, int oflags, Descriptors descriptors)
            throws IOException {
        return open(options, below, key, oflags, place(512, -1), MEMORY, descriptors);
    }

    static OpenRequest.Place place(int sector, long stamp) {
        return new OpenRequest.Place() {
            @Override
            public String type() {
                return "memory";
            }

            @Override
            public long sectorBytes() {
                return sector;
            }

            @Override
            public long changeStamp() {
                return stamp;
            }
        };
    }

    private static PfLayer open(
            String options,
            Layer below,
            FileKey key,
            int oflags,
            OpenRequest.Place place,
            FrameMemory memory,
            Descriptors descriptors)
            throws IOException {
        return open(options, below, key, request(key, oflags, place, descriptors, false), memory);
    }

    /** Opens a file for writing whose page requests cannot read. */
    static PfLayer openBlind(String options, Layer below, FileKey key) throws IOException {
        OpenRequest.Place place = place(512, -1);
        OpenRequest request = request(key, OpenFlags.WRONLY, place, Descriptors.NONE, true);
        return open(options, below, key, request, MEMORY);
    }

    private static PfLayer open(
            String options, Layer below, FileKey key, OpenRequest request, FrameMemory memory)
            throws IOException {
        StackSpec spec = StackSpec.parse("test", "pf/" + options);
        return PfLayers.over(
                spec.layers().get(1),
                below,
                CachedFiles.enter(key),
                request,
                memory,
                () -> "memory");
    }

    private static OpenRequest request(
            FileKey key,
            int oflags,
            OpenRequest.Place place,
            Descriptors descriptors,
            boolean blind) {
        return new OpenRequest(
                "test",
                oflags,
                0644,
                0,
                0,
                0,
                place,
                key,
                null,
                true,
                true,
                blind,
                false,
                PlatformObjects.NONE,
                descriptors,
                NoKernelCache.PLAIN);
    }

    /** What an open asks for, by a name that may be anything. */
    static OpenRequest request(FileKey key, int oflags) {
        return request(key, oflags, place(512, -1), Descriptors.NONE, false);
    }

    /** What an open under {@code pf/auto} asks for, over a kernel of the test. */
    static OpenRequest request(
            int oflags, long sizeBytes, OpenRequest.Place place, FileKey key, KernelCache kernel) {
        return new OpenRequest(
                "test",
                oflags,
                0644,
                sizeBytes,
                0,
                0,
                place,
                key,
                null,
                true,
                false,
                false,
                false,
                PlatformObjects.NONE,
                Descriptors.NONE,
                kernel);
    }

    static PfLayer open(String options, MemoryFile below) throws IOException {
        return open(options, below, newKey(), OpenFlags.RDWR);
    }

    /** Closes an open, as the front layer and the door do. */
    static void close(PfLayer layer, FileKey key) throws IOException {
        try {
            layer.close();
        } finally {
            leave(key);
        }
    }

    /** Leaves the file, which was entered once. */
    static void leave(FileKey key) {
        CachedFile file = CachedFiles.enter(key);
        CachedFiles.leave(file);
        CachedFiles.leave(file);
    }

    static PfSnapshot counters(PfLayer layer) {
        return (PfSnapshot) layer.source().file().snapshot(Event.INTER);
    }

    /** Makes {@code length} bytes of one value. */
    static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Writes {@code length} bytes of one value; returns how many were taken. */
    static int write(PfLayer layer, long offset, int length, int value) throws IOException {
        return layer.write(ByteBuffer.wrap(filled(length, value)), offset);
    }

    /** Reads up to {@code length} bytes; returns those that were read. */
    static byte[] read(PfLayer layer, long offset, int length) throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        int bytes = layer.read(dst, offset);
        return Arrays.copyOf(dst.array(), Math.max(0, bytes));
    }
}
