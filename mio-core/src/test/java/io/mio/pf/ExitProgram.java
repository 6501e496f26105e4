package io.mio.pf;

import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** What {@link PfExitForkTest} runs in a JVM of its own, as its cache can be used no more after. */
final class ExitProgram {
    private ExitProgram() {}

    public static void main(String[] arguments) throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[8192]);
        FileKey key = PfFixture.newKey();
        PfLayer before = open(below, key);
        before.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100);
        System.out.println("written: " + at(below, 100));
        CachedFiles.exit();
        System.out.println("at exit: " + at(below, 100));
        before.write(ByteBuffer.wrap(new byte[] {4, 5, 6}), 100);
        System.out.println("written later: " + at(below, 100));
        FileKey otherKey = PfFixture.newKey();
        MemoryFile other = new MemoryFile(Runnable::run).holding(new byte[8192]);
        PfLayer after = open(other, otherKey);
        after.write(ByteBuffer.wrap(new byte[] {7, 8, 9}), 100);
        System.out.println("opened later: " + at(other, 100));
    }

    private static PfLayer open(MemoryFile below, FileKey key) throws IOException {
        return PfFixture.open("cache=64k/page=4k/private", below, key, OpenFlags.RDWR);
    }

    private static String at(MemoryFile below, int offset) {
        return Arrays.toString(Arrays.copyOfRange(below.content(), offset, offset + 3));
    }
}
