package io.mio.stack;

import io.mio.config.StackSpec;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.OpenRequest;
import io.mio.pf.DirectSizes;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.util.Map;

/**
 * Makes stacks as on a machine that has hardly any memory and nothing in the kernel's page cache,
 * so that {@code pf/auto} reads small files past that cache after a few requests.
 */
public final class SmallMemory implements Stacks {
    /** Decides at the first look at a stream that goes on, if the file is over twice the room. */
    public static final DirectSizes SIZES =
            new DirectSizes(
                    1, 0, 1, 1, 1, 4096, 2 * 4096, 8 * 4096, 64 << 20, 256 << 10, 4, 64 << 10);

    private final StackBuilder builder;
    private final long roomBytes;

    private SmallMemory(StackBuilder builder, long roomBytes) {
        this.builder = builder;
        this.roomBytes = roomBytes;
    }

    /**
     * Makes stacks by rules in the form of {@code MIO_FILES}.
     *
     * @param roomBytes memory that could keep files; a quarter of it may be pages
     */
    public static SmallMemory stacks(String rules, long roomBytes) {
        StackBuilder builder = StackBuilder.load(Map.of("files", rules), FileSystems.getDefault());
        builder.directSizes = SIZES;
        return new SmallMemory(builder, roomBytes);
    }

    /** The memory that the pages of such opens use in this process, in bytes. */
    public static long usedBytes() {
        return DirectMemory.usedBytes();
    }

    @Override
    public StackSpec match(String name) {
        return builder.match(name);
    }

    @Override
    public <T> T opening(StackSpec spec, String name, IoCall<T> open) throws IOException {
        return builder.opening(spec, name, open);
    }

    @Override
    public void debug(StackSpec spec, String name, String line) {
        builder.debug(spec, name, line);
    }

    @Override
    public Layer open(StackSpec spec, OpenRequest of, Layer os) throws IOException {
        OpenRequest seen =
                new OpenRequest(
                        of.name(),
                        of.oflags(),
                        of.mode(),
                        of.sizeBytes(),
                        of.openedNanos(),
                        of.openNanos(),
                        of.place(),
                        of.key(),
                        of.executor(),
                        of.interruptible(),
                        of.cacheable(),
                        of.blindPages(),
                        of.directPages(),
                        of.platform(),
                        of.descriptors(),
                        new Empty(roomBytes));
        return builder.open(spec, seen, os);
    }

    /** A kernel's page cache that holds nothing, on a machine with this much room for files. */
    record Empty(long roomBytes) implements KernelCache {
        @Override
        public int has(long offset, long bytes) {
            return 0;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            return true;
        }

        @Override
        public long reachBytes() {
            return 0;
        }
    }
}
