package io.mio.fs;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.spi.FileSystemProvider;

/**
 * Calls {@code FileSystemProvider.readAttributesIfExists}, which exists from JDK 20 on. A class of
 * its own so that the method is looked for at the first call and not when the JVM starts.
 */
final class AttributesIfExists {
    private static final MethodHandle PLATFORM = find();

    private AttributesIfExists() {}

    /** The attributes, or null if there is no such file. */
    static <A extends BasicFileAttributes> A read(
            FileSystemProvider platform, Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (PLATFORM != null) {
            return type.cast(readByHandle(platform, path, type, options));
        }
        try {
            return platform.readAttributes(path, type, options);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static BasicFileAttributes readByHandle(
            FileSystemProvider platform, Path path, Class<?> type, LinkOption[] options)
            throws IOException {
        try {
            return (BasicFileAttributes) PLATFORM.invokeExact(platform, path, type, options);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(
                            FileSystemProvider.class,
                            "readAttributesIfExists",
                            MethodType.methodType(
                                    BasicFileAttributes.class,
                                    Path.class,
                                    Class.class,
                                    LinkOption[].class))
                    .asFixedArity();
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }
}
