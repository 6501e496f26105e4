package io.mio.os;

import java.nio.ByteBuffer;

/** Finds the limits that direct requests on a file have to obey. */
final class Limits {
    /** No request is cut finer than this, whatever a file system allows. */
    static final int SMALLEST_BYTES = 512;

    /** Alignment of every frame; a multiple of every block size in use. */
    static final int FRAME_BYTES = 4096;

    private Limits() {}

    /**
     * Finds the limit by trying to read: the smallest of 512 and 4096 that the kernel takes.
     *
     * @return 0 if it takes neither
     */
    static int tried(Descriptor direct, boolean readable) {
        if (!readable) {
            return FRAME_BYTES;
        }
        ByteBuffer stage = Staging.take();
        try {
            int bytes = direct.read(stage, 0, SMALLEST_BYTES, 0, SMALLEST_BYTES, 0);
            if (bytes == SMALLEST_BYTES) {
                return SMALLEST_BYTES;
            }
            // In a file so small this tells nothing: the kernel may not have checked.
            bytes = direct.read(stage, 0, FRAME_BYTES, 0, FRAME_BYTES, 0);
            return bytes >= 0 ? FRAME_BYTES : 0;
        } catch (java.io.IOException e) {
            return 0;
        } finally {
            Staging.give(stage);
        }
    }
}
