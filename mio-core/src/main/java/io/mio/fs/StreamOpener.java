package io.mio.fs;

import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.os.BackendFile;
import io.mio.os.OsLayer;
import io.mio.os.PlatformFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashSet;
import java.util.Set;

/**
 * Opens streams, and the channel of {@code Files.readAllBytes}, all of which no interrupt may end
 * (provider reference, finding 3). All paths are the platform's.
 *
 * <p>Layers lie over the platform's own stream, which is safe from interrupts but moves bytes in
 * order only. A cache needs any order, so with one the platform opens a channel instead. The
 * program's thread never does I/O on that channel, because page requests have descriptors of their
 * own ({@link BackendFile}). Options that only streams refuse are left to the platform's stream
 * methods.
 */
final class StreamOpener {
    private static final Set<StandardOpenOption> OUTPUT_OPTIONS =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
    private static final Set<StandardOpenOption> MAKING_OPTIONS =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.DELETE_ON_CLOSE);
    private static final Set<StandardOpenOption> NEW_FILE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Composer composer;

    StreamOpener(Composer composer) {
        this.composer = composer;
    }

    /** What a stream reads or writes through, and what the platform opened. */
    private record Opened(Layer layer, Closeable platform) {}

    /** As {@link FileSystemProvider#newInputStream}. */
    InputStream newInputStream(OpenRule rule, Path inner, OpenOption... options)
            throws IOException {
        Opened pages = openPages(rule, inner, options);
        if (pages != null) {
            return new MioInputStream(pages.platform, pages.layer);
        }
        Opening opening = Opening.begin(inner, asSet(options));
        InputStream in =
                composer.open(rule, opening, () -> provider(inner).newInputStream(inner, options));
        return composer.isLayered(rule, opening, in)
                ? new MioInputStream(in, input(rule, opening, in, in))
                : in;
    }

    /**
     * As {@code newInputStream} of a path, for a file that the platform has opened as {@code in}.
     * The file is opened once more; {@code in} stays open until the program's stream is closed,
     * because closing any descriptor drops the process's locks on the file.
     */
    InputStream newInputStream(OpenRule rule, Path inner, InputStream in) throws IOException {
        Opened pages;
        try {
            pages = openPages(rule, inner);
        } catch (IOException e) {
            // No descriptor is left, or the name leads elsewhere by now: the program gets "in".
            pages = null;
        } catch (RuntimeException | Error e) {
            in.close();
            throw e;
        }
        if (pages == null) {
            return composer.unlayered(inner, in);
        }
        Opened opened = pages;
        Closeable both =
                () -> {
                    try {
                        opened.platform.close();
                    } finally {
                        in.close();
                    }
                };
        return new MioInputStream(both, opened.layer);
    }

    /** Opens for {@code Files.readAllBytes}; as {@link FileSystemProvider#newByteChannel}. */
    SeekableByteChannel newReadChannel(OpenRule rule, Path inner, Set<? extends OpenOption> options)
            throws IOException {
        Opened pages = openPages(rule, inner, asArray(options));
        if (pages != null) {
            return new MioReadChannel(pages.platform, pages.layer);
        }
        FileFacts facts = FileFacts.of(inner);
        if (facts != null && !facts.isRegular()) {
            // Not opened as a stream first: a pipe that is opened and closed has lost its writer.
            return composer.unlayered(inner, provider(inner).newByteChannel(inner, options));
        }
        Opening opening = Opening.begin(inner, options);
        InputStream in =
                composer.open(
                        rule,
                        opening,
                        () -> provider(inner).newInputStream(inner, asArray(options)));
        if (composer.isLayered(rule, opening, in)) {
            return new MioReadChannel(in, input(rule, opening, in, in));
        }
        in.close();
        return composer.unlayered(inner, provider(inner).newByteChannel(inner, options));
    }

    /**
     * As {@code newReadChannel} of a path, for a file that the platform has opened already; that
     * channel stays in use.
     *
     * @param file the platform's channel, whose own I/O an interrupt would end
     */
    SeekableByteChannel newReadChannel(OpenRule rule, Opening opening, FileChannel file)
            throws IOException {
        if (!composer.isLayered(rule, opening, file)) {
            return composer.unlayered(opening.inner(), file);
        }
        Opened pages = openPages(rule, opening, file, Set.of());
        return new MioReadChannel(pages.platform, pages.layer);
    }

    /** Opens for reading with page requests; null where the platform's stream is to be used. */
    private Opened openPages(OpenRule rule, Path inner, OpenOption... options) throws IOException {
        Set<OpenOption> set = asSet(options);
        boolean refused =
                set.size() < options.length
                        || set.contains(null)
                        || set.contains(StandardOpenOption.WRITE)
                        || set.contains(StandardOpenOption.APPEND);
        if (refused || !composer.takesPages(rule, inner, set)) {
            return null;
        }
        Opening opening = Opening.begin(inner, set);
        SeekableByteChannel channel =
                composer.open(rule, opening, () -> provider(inner).newByteChannel(inner, set));
        if (!composer.isLayered(rule, opening, channel) || !(channel instanceof FileChannel file)) {
            channel.close();
            return null;
        }
        set.remove(StandardOpenOption.DELETE_ON_CLOSE);
        return openPages(rule, opening, file, set);
    }

    private Opened openPages(
            OpenRule rule, Opening opening, FileChannel file, Set<OpenOption> options)
            throws IOException {
        BackendFile backend = composer.backend(rule, opening, file);
        if (backend != null) {
            return new Opened(overPages(rule, opening, file, backend, null), file);
        }
        Path inner = opening.inner();
        InputStream in =
                again(opening, () -> provider(inner).newInputStream(inner, asArray(options)));
        Layer layer =
                in == null ? overChannel(rule, opening, file) : input(rule, opening, in, file);
        return new Opened(layer, file);
    }

    /** As {@link FileSystemProvider#newOutputStream}. */
    OutputStream newOutputStream(OpenRule rule, Path inner, OpenOption... options)
            throws IOException {
        FrontOptions front = rule.front();
        Set<OpenOption> meant = asSet(options);
        if (meant.isEmpty()) {
            meant.addAll(OUTPUT_OPTIONS);
        }
        boolean refused = meant.contains(StandardOpenOption.READ) || meant.contains(null);
        meant.add(StandardOpenOption.WRITE);
        Set<? extends OpenOption> asked = front.options(meant);
        if (!refused && composer.takesPages(rule, inner, asked)) {
            return newPagesOutput(rule, inner, asked);
        }
        Opening opening = Opening.begin(inner, asked);
        OutputStream out =
                composer.open(
                        rule,
                        opening,
                        () -> openOutput(inner, front, asked == meant ? options : asArray(asked)));
        return composer.isLayered(rule, opening, out)
                ? new MioOutputStream(out, output(rule, opening, out, out), appends(opening))
                : out;
    }

    private OutputStream newPagesOutput(OpenRule rule, Path inner, Set<? extends OpenOption> asked)
            throws IOException {
        Opening opening = Opening.begin(inner, asked);
        SeekableByteChannel channel =
                composer.open(
                        rule,
                        opening,
                        () ->
                                provider(inner)
                                        .newByteChannel(inner, asked, rule.front().attributes()));
        if (!composer.isLayered(rule, opening, channel) || !(channel instanceof FileChannel file)) {
            return Channels.newOutputStream(channel);
        }
        BackendFile backend = composer.backend(rule, opening, channel);
        OutputStream out = null;
        if (backend == null || appends(opening)) {
            Set<OpenOption> there = new HashSet<>(asked);
            there.removeAll(MAKING_OPTIONS);
            out = again(opening, () -> provider(inner).newOutputStream(inner, asArray(there)));
        }
        Layer layer;
        if (backend != null) {
            layer = overPages(rule, opening, file, backend, out);
        } else if (out != null) {
            layer = output(rule, opening, out, file);
        } else {
            layer = overChannel(rule, opening, file);
        }
        return new MioOutputStream(file, layer, appends(opening));
    }

    /**
     * Opens the platform's stream on a file that its channel has open, for what page requests
     * cannot do; an interrupt would close the channel itself. Both stay open until the program's
     * stream is closed, because closing any descriptor drops the process's locks on the file.
     *
     * @return null if the name does not lead to the file any more
     */
    private static <S extends Closeable> S again(Opening opening, Layer.IoCall<S> open)
            throws IOException {
        S stream;
        try {
            stream = open.call();
        } catch (IOException | RuntimeException e) {
            // The layers do without it.
            return null;
        }
        if (opening.key() != null && opening.key().equals(FileFacts.key(opening.inner()))) {
            return stream;
        }
        stream.close();
        return null;
    }

    /** A stream cannot set the mode of a new file, so the file is made before it. */
    static OutputStream openOutput(Path inner, FrontOptions front, OpenOption... options)
            throws IOException {
        Set<OpenOption> asked = asSet(options);
        boolean isNew = asked.contains(StandardOpenOption.CREATE_NEW);
        boolean creates = asked.isEmpty() || isNew || asked.contains(StandardOpenOption.CREATE);
        if (!front.setsMode() || !creates || asked.contains(StandardOpenOption.READ)) {
            return provider(inner).newOutputStream(inner, options);
        }
        try {
            provider(inner).newByteChannel(inner, NEW_FILE, front.attributes()).close();
            asked.remove(StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            if (isNew) {
                throw e;
            }
        }
        return provider(inner).newOutputStream(inner, asArray(asked));
    }

    /**
     * Makes layers over page requests.
     *
     * @param appends the platform's stream for writes to the end, or null
     */
    private Layer overPages(
            OpenRule rule,
            Opening opening,
            FileChannel channel,
            BackendFile backend,
            OutputStream appends)
            throws IOException {
        FrontOptions front = rule.front();
        PlatformFile file = new PlatformFile(channel);
        Layer os = OsLayer.ofBackend(backend, file, front.osName(), front.truncates());
        if (appends != null) {
            os = new AppendLayer(os, output(opening, appends, os.name()));
        }
        OpenRequest request =
                appends == null
                        ? opening.request(front, backend, null, false, channel)
                        : opening.request(front, backend, null, false, channel, appends);
        return composer.layers(rule, opening, request, os, channel);
    }

    private Layer overChannel(OpenRule rule, Opening opening, FileChannel channel)
            throws IOException {
        FrontOptions front = rule.front();
        PlatformFile file = new PlatformFile(channel);
        OsLayer os = OsLayer.ofChannel(file, front.osName(), front.truncates());
        return composer.layers(
                rule, opening, opening.request(front, null, null, true, channel), os, channel);
    }

    private Layer input(OpenRule rule, Opening opening, InputStream in, Closeable platform)
            throws IOException {
        OsLayer os = OsLayer.ofInput(in, rule.front().osName());
        return composer.layers(
                rule, opening, streamRequest(rule, opening, in, platform), os, platform);
    }

    private Layer output(OpenRule rule, Opening opening, OutputStream out, Closeable platform)
            throws IOException {
        OsLayer os = output(opening, out, rule.front().osName());
        return composer.layers(
                rule, opening, streamRequest(rule, opening, out, platform), os, platform);
    }

    private static OsLayer output(Opening opening, OutputStream out, String name) {
        return OsLayer.ofOutput(out, name, opening.sizeBytes(), opening::sizeNow);
    }

    /** {@code platform} is the stream itself, or a channel that the file was opened with. */
    private static OpenRequest streamRequest(
            OpenRule rule, Opening opening, Closeable stream, Closeable platform) {
        FrontOptions front = rule.front();
        return stream == platform
                ? opening.request(front, null, null, false, stream)
                : opening.request(front, null, null, false, stream, platform);
    }

    private static boolean appends(Opening opening) {
        return (opening.oflags() & OpenFlags.APPEND) != 0;
    }

    private static FileSystemProvider provider(Path inner) {
        return inner.getFileSystem().provider();
    }

    private static Set<OpenOption> asSet(OpenOption... options) {
        Set<OpenOption> set = new HashSet<>();
        for (OpenOption option : options) {
            set.add(option);
        }
        return set;
    }

    private static OpenOption[] asArray(Set<? extends OpenOption> options) {
        return options.toArray(new OpenOption[0]);
    }
}
