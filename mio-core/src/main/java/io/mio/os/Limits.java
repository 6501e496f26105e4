package io.mio.os;

import java.nio.ByteBuffer;

/** Finds out what direct requests on a file have to obey. */
final class Limits {
    /** No request is cut finer than this, whatever a file system allows. */
    static final int SMALLEST_BYTES = 512;

    /** What every block size in use divides, and every frame is aligned to. */
    static final int FRAME_BYTES = 4096;

    private Limits() {}

    /**
     * By trying to read: the smallest of 512 and 4096 that the kernel takes.
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
            // A file so small says nothing: the kernel may not have looked.
            bytes = direct.read(stage, 0, FRAME_BYTES, 0, FRAME_BYTES, 0);
            return bytes >= 0 ? FRAME_BYTES : 0;
        } catch (java.io.IOException e) {
            return 0;
        } finally {
            Staging.give(stage);
        }
    }
}
