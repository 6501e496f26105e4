package io.mio.cli.experiment;

import io.mio.cli.bench.Cleanup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.SplittableRandom;

/** Files and directories of one experiment; they are removed when it ends, however it ends. */
final class Scratch {
    private static final int CHUNK = 1 << 20;
    private static final long SEED = 1;
    private static final FileAttribute<Set<PosixFilePermission>> FOR_THE_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private Scratch() {}

    /** Makes a directory, which has to be empty at the end. */
    static Path directory(Scope scope, Path dir) throws IOException, InterruptedException {
        return scope.begin(() -> Files.createDirectory(dir), () -> Files.deleteIfExists(dir));
    }

    /**
     * Makes a file that has all its blocks, with noise that no storage can compress.
     *
     * @param bytes a multiple of 8
     */
    static Path file(Scope scope, Path file, long bytes) throws IOException, InterruptedException {
        Cleanup.Action removing = () -> Files.deleteIfExists(file);
        scope.begin(() -> Files.createFile(file, FOR_THE_OWNER), removing);
        fill(file, bytes, new SplittableRandom(SEED));
        return file;
    }

    /** Makes a file of zeros that are written out, so that no block has to be allocated later. */
    static Path zeros(Scope scope, Path file, long bytes) throws IOException, InterruptedException {
        Cleanup.Action removing = () -> Files.deleteIfExists(file);
        scope.begin(() -> Files.createFile(file, FOR_THE_OWNER), removing);
        fill(file, bytes, null);
        return file;
    }

    private static void fill(Path file, long bytes, SplittableRandom random) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long left = bytes;
            while (left > 0) {
                chunk.clear().limit((int) Math.min(left, CHUNK));
                for (int i = 0; random != null && i + Long.BYTES <= chunk.limit(); i += 8) {
                    chunk.putLong(i, random.nextLong());
                }
                while (chunk.hasRemaining()) {
                    left -= channel.write(chunk);
                }
            }
            channel.force(true);
        }
    }
}
