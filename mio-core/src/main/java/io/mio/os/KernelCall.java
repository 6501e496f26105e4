package io.mio.os;

import io.mio.layer.KernelCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What {@code pf/auto} measures on this machine, for code that predicts what it will do. */
public final class KernelCall {
    /** In place of a descriptor: only what is known already is told. */
    private static final int UNOPENED = -1;

    private KernelCall() {}

    /**
     * As {@link KernelCache#callNanos}; not known without the native helper.
     *
     * @param file one in the kernel's cache, as a file is that was just read
     */
    public static long nanos(Path file) {
        if (!NativeHelper.load().isAvailable()) {
            return KernelCache.UNKNOWN;
        }
        long known = NativeCalls.callNanos(UNOPENED, 0);
        if (known > 0) {
            return known;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return NativeCalls.callNanos(NativeOpening.descriptor(channel), 0);
        } catch (IOException e) {
            return KernelCache.UNKNOWN;
        }
    }
}
