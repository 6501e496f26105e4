package io.mio.fs;

import io.mio.layer.Layer;
import io.mio.os.BackendFile;
import io.mio.os.OsLayer;
import io.mio.os.PlatformFile;
import io.mio.os.ProgramExecutor;
import io.mio.stack.Stacks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * Opens files for the provider. All paths are the platform's.
 *
 * <p>A file stays the platform's own object if no rule matches it, if it is neither a regular file
 * nor a block device, or if it must stay untouched ({@link PassedThrough}). Every other file is
 * opened by the platform with the program's options, and then gets its layers. If they cannot be
 * made, it is closed again.
 */
final class FileOpener {
    private final Composer composer;
    private final StreamOpener streams;

    FileOpener(Stacks stacks) {
        this(stacks, PageFiles.OF_PROCESS);
    }

    FileOpener(Stacks stacks, PageFiles pages) {
        this.composer = new Composer(stacks, pages);
        this.streams = new StreamOpener(composer);
    }

    /** As {@link FileSystemProvider#newFileChannel}. */
    FileChannel newFileChannel(
            Path inner, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        OpenRule rule = composer.rule(inner);
        if (rule == null) {
            return composer.unlayered(inner, provider(inner).newFileChannel(inner, options, attrs));
        }
        if (readsOnly(options) && composer.mayLeave(rule)) {
            FileChannel channel = provider(inner).newFileChannel(inner, options, attrs);
            if (composer.leaves(inner, channel)) {
                return composer.unlayered(inner, channel);
            }
            if (!channel.isOpen()) {
                channel = provider(inner).newFileChannel(inner, options);
            }
            return layered(rule, Opening.begin(inner, options), channel);
        }
        FrontOptions front = rule.front();
        Set<? extends OpenOption> asked = front.options(options);
        Opening opening = Opening.begin(inner, asked);
        FileChannel channel =
                composer.open(
                        rule,
                        opening,
                        () ->
                                provider(inner)
                                        .newFileChannel(inner, asked, front.attributes(attrs)));
        return layered(rule, opening, channel);
    }

    /**
     * As {@link FileSystemProvider#newByteChannel}; a {@link FileChannel}, as the platform's is.
     * {@code Files.readAllBytes} gets a channel that no interrupt closes.
     */
    SeekableByteChannel newByteChannel(
            Path inner, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        OpenRule rule = composer.rule(inner);
        if (rule == null) {
            return composer.unlayered(inner, provider(inner).newByteChannel(inner, options, attrs));
        }
        if (readsOnly(options) && composer.mayLeave(rule)) {
            SeekableByteChannel channel = provider(inner).newByteChannel(inner, options, attrs);
            if (!(channel instanceof FileChannel file) || composer.leaves(inner, file)) {
                return composer.unlayered(inner, channel);
            }
            if (!file.isOpen()) {
                file = provider(inner).newFileChannel(inner, options);
            }
            Opening opening = Opening.begin(inner, options);
            return attrs.length == 0 && ReadAllBytes.isCalling()
                    ? streams.newReadChannel(rule, opening, file)
                    : layered(rule, opening, file);
        }
        if (readsOnly(options)
                && attrs.length == 0
                && (!rule.onlyIfCached() || composer.takesPages(rule, inner, options))
                && ReadAllBytes.isCalling()) {
            return streams.newReadChannel(rule, inner, options);
        }
        FrontOptions front = rule.front();
        Set<? extends OpenOption> asked = front.options(options);
        Opening opening = Opening.begin(inner, asked);
        SeekableByteChannel channel =
                composer.open(
                        rule,
                        opening,
                        () ->
                                provider(inner)
                                        .newByteChannel(inner, asked, front.attributes(attrs)));
        return channel instanceof FileChannel file ? layered(rule, opening, file) : channel;
    }

    /**
     * As {@link SecureDirectoryStream#newByteChannel}.
     *
     * @param innerDirectory the platform's stream
     * @param file a name in it, whose path rules are matched with
     */
    SeekableByteChannel newByteChannel(
            SecureDirectoryStream<Path> innerDirectory,
            NameInDirectory file,
            Set<? extends OpenOption> options,
            FileAttribute<?>... attrs)
            throws IOException {
        OpenRule rule = composer.rule(file.path());
        if (rule == null) {
            return composer.unlayered(
                    file, innerDirectory.newByteChannel(file.name(), options, attrs));
        }
        FrontOptions front = rule.front();
        Set<? extends OpenOption> asked = front.options(options);
        Opening opening = Opening.begin(file, asked);
        SeekableByteChannel channel =
                composer.open(
                        rule,
                        opening,
                        () ->
                                innerDirectory.newByteChannel(
                                        file.name(), asked, front.attributes(attrs)));
        return channel instanceof FileChannel one ? layered(rule, opening, one) : channel;
    }

    /** As {@link FileSystemProvider#newAsynchronousFileChannel}. */
    AsynchronousFileChannel newAsynchronousFileChannel(
            Path inner,
            Set<? extends OpenOption> options,
            ExecutorService executor,
            FileAttribute<?>... attrs)
            throws IOException {
        OpenRule rule = composer.rule(inner);
        if (rule == null) {
            return composer.unlayered(
                    inner,
                    provider(inner).newAsynchronousFileChannel(inner, options, executor, attrs));
        }
        FrontOptions front = rule.front();
        Set<? extends OpenOption> asked = front.options(options);
        ExecutorService served = executor == null ? null : new ProgramExecutor(executor);
        Opening opening = Opening.begin(inner, asked);
        AsynchronousFileChannel channel =
                composer.open(
                        rule,
                        opening,
                        () ->
                                provider(inner)
                                        .newAsynchronousFileChannel(
                                                inner, asked, served, front.attributes(attrs)));
        if (!composer.isLayered(rule, opening, channel)) {
            return channel;
        }
        BackendFile backend = composer.backend(rule, opening, channel);
        Executor handles = executor == null ? AsynchronousPool.executor() : executor;
        OsLayer os;
        Executor runs;
        if (backend == null) {
            os = OsLayer.ofAsynchronous(channel, front.osName(), front.truncates());
            runs = null;
        } else {
            os = OsLayer.ofBackend(backend, null, front.osName(), front.truncates());
            runs = handles;
        }
        Layer layer =
                composer.layers(
                        rule,
                        opening,
                        opening.request(front, backend, runs, false, channel),
                        os,
                        channel);
        return new MioAsynchronousFileChannel(channel, layer, handles, opening.oflags());
    }

    /** As {@link FileSystemProvider#newInputStream}. */
    InputStream newInputStream(Path inner, OpenOption... options) throws IOException {
        OpenRule rule = composer.rule(inner);
        if (rule != null && (!readsOnly(options) || !composer.mayLeave(rule))) {
            return streams.newInputStream(rule, inner, options);
        }
        InputStream in = provider(inner).newInputStream(inner, options);
        return rule == null || composer.leaves(inner, in)
                ? composer.unlayered(inner, in)
                : streams.newInputStream(rule, inner, in);
    }

    /** As {@link FileSystemProvider#newOutputStream}. */
    OutputStream newOutputStream(Path inner, OpenOption... options) throws IOException {
        OpenRule rule = composer.rule(inner);
        return rule == null
                ? composer.unlayered(inner, provider(inner).newOutputStream(inner, options))
                : streams.newOutputStream(rule, inner, options);
    }

    private FileChannel layered(OpenRule rule, Opening opening, FileChannel channel)
            throws IOException {
        if (!composer.isLayered(rule, opening, channel)) {
            return channel;
        }
        FrontOptions front = rule.front();
        PlatformFile file = new PlatformFile(channel);
        BackendFile backend = composer.backend(rule, opening, channel);
        OsLayer os =
                backend == null
                        ? OsLayer.ofChannel(file, front.osName(), front.truncates())
                        : OsLayer.ofBackend(backend, file, front.osName(), front.truncates());
        Layer layer =
                composer.layers(
                        rule,
                        opening,
                        opening.request(front, backend, null, true, channel),
                        os,
                        channel);
        return MioFileChannel.over(file, layer, opening.oflags());
    }

    private static boolean readsOnly(Set<? extends OpenOption> options) {
        return options.isEmpty()
                || (options.size() == 1 && options.contains(StandardOpenOption.READ));
    }

    private static boolean readsOnly(OpenOption... options) {
        return options.length == 0
                || (options.length == 1 && options[0] == StandardOpenOption.READ);
    }

    private static FileSystemProvider provider(Path inner) {
        return inner.getFileSystem().provider();
    }
}
