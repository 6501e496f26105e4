package io.mio.fs;

import io.mio.layer.Layer;
import io.mio.os.PlatformFile;
import java.nio.channels.FileChannel;

/**
 * Makes the file channels. From JDK 22 on {@link FileChannel} has a method whose types JDK 17 does
 * not know ({@code map} into an {@code Arena}). The class that overrides it is compiled apart, lies
 * in the same jar, and is loaded by name where it can be.
 */
abstract class ChannelMaker {
    /** First release that has {@code map} into an {@code Arena}. */
    static final int ARENA_RELEASE = 22;

    static final ChannelMaker OF_THIS_JVM = ofThisJvm();

    abstract FileChannel make(PlatformFile file, Layer layer, int oflags);

    /**
     * Loads the class for this JVM before the first file channel is made: that class also tells
     * which buffers an arena lends.
     */
    static void prepare() {
        // The static initialiser does it.
    }

    private static ChannelMaker ofThisJvm() {
        if (Runtime.version().feature() < ARENA_RELEASE) {
            return new Plain();
        }
        try {
            return Class.forName("io.mio.fs.ArenaFileChannel$Maker")
                    .asSubclass(ChannelMaker.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this build of the library has no ArenaFileChannel", e);
        }
    }

    private static final class Plain extends ChannelMaker {
        @Override
        FileChannel make(PlatformFile file, Layer layer, int oflags) {
            return new MioFileChannel(file, layer, oflags);
        }
    }
}
