package io.mio.fs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/** Arenas of Java 22 and later, for tests that are compiled for 17. */
final class Arenas {
    private static final String ARENA = "java.lang.foreign.Arena";

    private Arenas() {}

    static void assumeThatThereAreSome() {
        assumeTrue(Runtime.version().feature() >= 22, "this JVM has no Arena");
    }

    /** A new arena, or the global one, by the name of the method that returns it. */
    static Object arena(String kind) throws Exception {
        return called(Class.forName(ARENA).getMethod(kind), null);
    }

    static void close(Object arena) throws Exception {
        called(Class.forName(ARENA).getMethod("close"), arena);
    }

    /** Memory of an arena, at the start of a page. */
    static ByteBuffer bytes(Object arena, long count) throws Exception {
        Method allocate =
                Class.forName("java.lang.foreign.SegmentAllocator")
                        .getMethod("allocate", long.class, long.class);
        return bytes(called(allocate, arena, count, 4096L));
    }

    /** Maps a part of the file into the arena, and returns the segment. */
    static Object map(FileChannel channel, MapMode mode, long offset, long size, Object arena)
            throws Exception {
        Method map =
                FileChannel.class.getMethod(
                        "map", MapMode.class, long.class, long.class, Class.forName(ARENA));
        return called(map, channel, mode, offset, size, arena);
    }

    static ByteBuffer bytes(Object segment) throws Exception {
        return (ByteBuffer) called(segment("asByteBuffer"), segment);
    }

    static boolean isReadOnly(Object segment) throws Exception {
        return (boolean) called(segment("isReadOnly"), segment);
    }

    private static Method segment(String name) throws ReflectiveOperationException {
        return Class.forName("java.lang.foreign.MemorySegment").getMethod(name);
    }

    private static Object called(Method method, Object target, Object... arguments)
            throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
