package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that MIO overrides all methods of the types it wraps, on whatever JDK this runs. */
class OverridesTest {
    /**
     * A type and the class that implements it.
     *
     * @param inherited methods left as they are, each with the reason
     */
    record Pair(Class<?> base, Class<?> implementation, Map<String, String> inherited) {
        @Override
        public String toString() {
            return implementation.getSimpleName() + " implements " + base.getSimpleName();
        }
    }

    private static final Map<String, String> PROVIDER =
            Map.of(
                    "newFileSystem(Path,Map)",
                    "unsupported, as the platform's: an answer would take zip files from zipfs");

    private static final Map<String, String> PATH =
            Map.of(
                    "resolve(Path,Path[])",
                    "from 22 on; built on resolve(Path)",
                    "resolve(String,String[])",
                    "from 22 on; built on resolve(String)",
                    "forEach(Consumer)",
                    "built on iterator()",
                    "spliterator()",
                    "built on iterator()");

    private static final Map<String, String> STREAM =
            Map.of(
                    "forEach(Consumer)",
                    "built on iterator()",
                    "spliterator()",
                    "built on iterator()");

    static Stream<Pair> pairs() {
        return Stream.of(
                new Pair(FileSystemProvider.class, MioFileSystemProvider.class, PROVIDER),
                new Pair(FileSystemProvider.class, DefaultMioProvider.class, PROVIDER),
                new Pair(FileSystem.class, MioFileSystem.class, Map.of()),
                new Pair(Path.class, MioPath.class, PATH),
                new Pair(PathMatcher.class, MioPathMatcher.class, Map.of()),
                new Pair(WatchService.class, MioWatchService.class, Map.of()),
                new Pair(WatchKey.class, MioWatchKey.class, Map.of()),
                new Pair(WatchEvent.class, MioWatchEvent.class, Map.of()),
                new Pair(SecureDirectoryStream.class, MioSecureDirectoryStream.class, STREAM),
                new Pair(FileChannel.class, channelClass(), Map.of()),
                new Pair(AsynchronousFileChannel.class, MioAsynchronousFileChannel.class, Map.of()),
                new Pair(
                        FileLock.class,
                        MioFileLock.class,
                        Map.of(
                                "acquiredBy()",
                                "the base class answers with the channel it was made for")),
                new Pair(
                        Layer.class,
                        ForwardingLayer.class,
                        Map.of("rests()", "a layer has to see what it passes on")));
    }

    /** The class of MIO's channels on this JDK; from Java 22 on it has a method more. */
    private static Class<?> channelClass() {
        try (FileSystem fileSystem = Door.NAMED.open()) {
            Path file = Files.createTempFile("channel", ".dat");
            try (FileChannel channel = FileChannel.open(fileSystem.getPath(file.toString()))) {
                return channel.getClass();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void shouldOverrideEveryMethod(Pair pair) {
        List<String> forgotten = new ArrayList<>();
        List<String> overriddenAfterAll = new ArrayList<>();
        for (Map.Entry<String, Method> each : overridable(pair.base()).entrySet()) {
            boolean overridden = isOverridden(each.getValue(), pair);
            boolean excused = pair.inherited().containsKey(each.getKey());
            if (!overridden && !excused) {
                forgotten.add(each.getKey());
            }
            if (overridden && excused) {
                overriddenAfterAll.add(each.getKey());
            }
        }
        assertThat(forgotten).as("methods without an override").isEmpty();
        assertThat(overriddenAfterAll).as("reasons that are out of date").isEmpty();
    }

    /** Public and protected methods that can be overridden, by signature. */
    private static Map<String, Method> overridable(Class<?> base) {
        Map<String, Method> methods = new TreeMap<>();
        List<Method> all = new ArrayList<>(Arrays.asList(base.getMethods()));
        for (Class<?> type = base; type != null; type = type.getSuperclass()) {
            all.addAll(Arrays.asList(type.getDeclaredMethods()));
        }
        for (Method method : all) {
            int modifiers = method.getModifiers();
            boolean visible = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
            if (visible
                    && !Modifier.isStatic(modifiers)
                    && !Modifier.isFinal(modifiers)
                    && !method.isSynthetic()
                    && !(method.isDefault() && method.getName().equals("compareTo"))
                    && method.getDeclaringClass() != Object.class) {
                methods.putIfAbsent(signature(method), method);
            }
        }
        return methods;
    }

    private static boolean isOverridden(Method method, Pair pair) {
        String ours = pair.implementation().getPackageName();
        for (Class<?> type = pair.implementation();
                type != null && type.getPackageName().equals(ours);
                type = type.getSuperclass()) {
            for (Method own : type.getDeclaredMethods()) {
                if (own.getName().equals(method.getName())
                        && Arrays.equals(own.getParameterTypes(), method.getParameterTypes())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String signature(Method method) {
        List<String> types = new ArrayList<>();
        for (Class<?> type : method.getParameterTypes()) {
            types.add(type.getSimpleName());
        }
        return method.getName() + "(" + String.join(",", types) + ")";
    }
}
