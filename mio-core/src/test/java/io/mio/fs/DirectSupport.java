package io.mio.fs;

import io.mio.os.DirectLimits;
import io.mio.os.NativeHelper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tells whether direct I/O can be tested here. */
public final class DirectSupport {
    private DirectSupport() {}

    /**
     * True if the file takes direct I/O, and the helper is there to do it. False in memory, where
     * direct I/O is accepted and has no effect.
     */
    public static boolean isThere(Path file) throws IOException {
        if (!NativeHelper.load().isAvailable()
                || List.of("tmpfs", "ramfs").contains(Files.getFileStore(file).type())) {
            return false;
        }
        DirectLimits limits = NativeHelper.load().directLimits(file.toString());
        return !limits.isTold() || limits.offsetAlignBytes() > 0;
    }
}
