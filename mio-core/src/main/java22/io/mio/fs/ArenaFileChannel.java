package io.mio.fs;

import io.mio.layer.Layer;
import io.mio.os.LentMemory;
import io.mio.os.PlatformFile;
import io.mio.pf.CachedFiles;
import io.mio.pf.MappedScope;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The file channel of JVMs from 22 on, which can map into an {@code Arena}.
 *
 * <p>Compiled for 17 in a step of its own, against empty stand-ins for the two types 17 has not
 * got. Nothing loads it on an older JVM ({@link ChannelMaker}).
 */
final class ArenaFileChannel extends MioFileChannel {
    private static final MethodHandle MAP = platformMap();

    private ArenaFileChannel(PlatformFile file, Layer layer, int oflags) {
        super(file, layer, oflags);
    }

    /** Overrides the method of 22, which the compiler of 17 does not see. */
    public MemorySegment map(MapMode mode, long offset, long size, Arena arena)
            throws IOException {
        return mode == null || arena == null || offset < 0 || size < 0
                ? platformMap(mode, offset, size, arena)
                : ChannelMapping.made(this, mode, offset, size, () -> platformMap(mode, offset, size, arena));
    }

    private MemorySegment platformMap(MapMode mode, long offset, long size, Arena arena)
            throws IOException {
        try {
            return (MemorySegment) MAP.invokeExact(inner, mode, offset, size, arena);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("FileChannel.map threw what it does not declare", e);
        }
    }

    private static MethodHandle platformMap() {
        MethodType type =
                MethodType.methodType(
                        MemorySegment.class, MapMode.class, long.class, long.class, Arena.class);
        try {
            return MethodHandles.publicLookup().findVirtual(FileChannel.class, "map", type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JVM cannot map into an Arena", e);
        }
    }

    /**
     * All segments of an arena have one scope, which they hold. Its kind is known by the name of
     * its class alone; of others, which may be new ones, nobody says anything.
     */
    private static final class Scopes implements MappedScope {
        @Override
        public Object of(Object mapped) {
            if (!(mapped instanceof MemorySegment segment)) {
                return null;
            }
            MemorySegment.Scope scope = segment.scope();
            return switch (kind(scope)) {
                case "ImplicitSession", "ConfinedSession", "SharedSession" -> scope;
                default -> null;
            };
        }

        @Override
        public boolean isCollected(Object scope) {
            return kind(scope).equals("ImplicitSession");
        }

        @Override
        public boolean isAlive(Object scope) {
            return ((MemorySegment.Scope) scope).isAlive();
        }

    }

    private static String kind(Object scope) {
        return scope.getClass().getSimpleName();
    }

    /** What is not known to stay as long as the buffer does may go before. */
    private static boolean isLent(ByteBuffer buffer) {
        return switch (kind(MemorySegment.ofBuffer(buffer).scope())) {
            case "GlobalSession", "HeapSession", "ImplicitSession" -> false;
            default -> true;
        };
    }

    /** Made by name. */
    static final class Maker extends ChannelMaker {
        Maker() {
            CachedFiles.scopes(new Scopes());
            LentMemory.known(ArenaFileChannel::isLent);
        }

        @Override
        FileChannel make(PlatformFile file, Layer layer, int oflags) {
            return new ArenaFileChannel(file, layer, oflags);
        }
    }
}
