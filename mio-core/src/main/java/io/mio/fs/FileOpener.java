package io.mio.fs;

import io.mio.config.StackSpec;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.os.OsLayer;
import io.mio.os.PlatformFile;
import io.mio.stack.Stacks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * Opens files for the provider. All paths are the platform's.
 *
 * <p>A file that no rule matches, that is not a regular one, or that must stay untouched ({@link
 * PassedThrough}) is the platform's own object. Every other one is opened by the platform with the
 * program's options, and then gets its layers. When they cannot be made, it is closed again.
 */
final class FileOpener {
    private static final Set<StandardOpenOption> OUTPUT_OPTIONS =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
    private static final Set<StandardOpenOption> NEW_FILE =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Stacks stacks;

    FileOpener(Stacks stacks) {
        this.stacks = stacks;
    }

    /** As {@link FileSystemProvider#newFileChannel}. */
    FileChannel newFileChannel(
            Path inner, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        StackSpec spec = rule(inner);
        if (spec == null) {
            return provider(inner).newFileChannel(inner, options, attrs);
        }
        FrontOptions front = FrontOptions.of(spec);
        Set<? extends OpenOption> asked = front.options(options);
        Opening opening = Opening.begin(inner, asked);
        FileChannel channel = provider(inner).newFileChannel(inner, asked, front.attributes(attrs));
        return layered(spec, front, opening, channel);
    }

    /**
     * As {@link FileSystemProvider#newByteChannel}; a {@link FileChannel}, as the platform's is.
     * {@code Files.readAllBytes} gets a channel that no interrupt closes.
     */
    SeekableByteChannel newByteChannel(
            Path inner, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        StackSpec spec = rule(inner);
        if (spec == null) {
            return provider(inner).newByteChannel(inner, options, attrs);
        }
        if (readsOnly(options) && attrs.length == 0 && ReadAllBytes.isCalling()) {
            return newReadChannel(spec, inner, options);
        }
        FrontOptions front = FrontOptions.of(spec);
        Set<? extends OpenOption> asked = front.options(options);
        Opening opening = Opening.begin(inner, asked);
        SeekableByteChannel channel =
                provider(inner).newByteChannel(inner, asked, front.attributes(attrs));
        return channel instanceof FileChannel file ? layered(spec, front, opening, file) : channel;
    }

    /**
     * As {@link SecureDirectoryStream#newByteChannel}.
     *
     * @param fullInnerName the name rules are matched with, and the file is looked at by
     * @param innerNameInDirectory the name the directory is asked for
     */
    SeekableByteChannel newByteChannel(
            SecureDirectoryStream<Path> innerDirectory,
            Path fullInnerName,
            Path innerNameInDirectory,
            Set<? extends OpenOption> options,
            FileAttribute<?>... attrs)
            throws IOException {
        StackSpec spec = rule(fullInnerName);
        if (spec == null) {
            return innerDirectory.newByteChannel(innerNameInDirectory, options, attrs);
        }
        FrontOptions front = FrontOptions.of(spec);
        Set<? extends OpenOption> asked = front.options(options);
        Opening opening = Opening.begin(fullInnerName, asked);
        SeekableByteChannel channel =
                innerDirectory.newByteChannel(innerNameInDirectory, asked, front.attributes(attrs));
        return channel instanceof FileChannel file ? layered(spec, front, opening, file) : channel;
    }

    /** As {@link FileSystemProvider#newAsynchronousFileChannel}. */
    AsynchronousFileChannel newAsynchronousFileChannel(
            Path inner,
            Set<? extends OpenOption> options,
            ExecutorService executor,
            FileAttribute<?>... attrs)
            throws IOException {
        StackSpec spec = rule(inner);
        if (spec == null) {
            return provider(inner).newAsynchronousFileChannel(inner, options, executor, attrs);
        }
        FrontOptions front = FrontOptions.of(spec);
        Set<? extends OpenOption> asked = front.options(options);
        Opening opening = Opening.begin(inner, asked);
        AsynchronousFileChannel channel =
                provider(inner)
                        .newAsynchronousFileChannel(
                                inner, asked, executor, front.attributes(attrs));
        if (!opening.opened()) {
            return channel;
        }
        OsLayer os = OsLayer.ofAsynchronous(channel, front.osName(), front.truncates());
        return new MioAsynchronousFileChannel(channel, layers(spec, opening, os), opening.oflags());
    }

    /** As {@link FileSystemProvider#newInputStream}. */
    InputStream newInputStream(Path inner, OpenOption... options) throws IOException {
        StackSpec spec = rule(inner);
        if (spec == null) {
            return provider(inner).newInputStream(inner, options);
        }
        Opening opening = Opening.begin(inner, asSet(options));
        InputStream in = provider(inner).newInputStream(inner, options);
        return opening.opened() ? new MioInputStream(in, input(spec, opening, in)) : in;
    }

    /** As {@link FileSystemProvider#newOutputStream}. */
    OutputStream newOutputStream(Path inner, OpenOption... options) throws IOException {
        StackSpec spec = rule(inner);
        if (spec == null) {
            return provider(inner).newOutputStream(inner, options);
        }
        FrontOptions front = FrontOptions.of(spec);
        Set<OpenOption> meant = asSet(options);
        if (meant.isEmpty()) {
            meant.addAll(OUTPUT_OPTIONS);
        }
        meant.add(StandardOpenOption.WRITE);
        Set<? extends OpenOption> asked = front.options(meant);
        Opening opening = Opening.begin(inner, asked);
        OutputStream out = openOutput(inner, front, asked == meant ? options : asArray(asked));
        if (!opening.opened()) {
            return out;
        }
        OsLayer os = OsLayer.ofOutput(out, front.osName(), opening.sizeBytes());
        boolean append = (opening.oflags() & OpenFlags.APPEND) != 0;
        return new MioOutputStream(out, layers(spec, opening, os), append);
    }

    /** An output stream has no way to tell the mode of a new file: the file is made before it. */
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

    private SeekableByteChannel newReadChannel(
            StackSpec spec, Path inner, Set<? extends OpenOption> options) throws IOException {
        Opening opening = Opening.begin(inner, options);
        InputStream in = provider(inner).newInputStream(inner, asArray(options));
        if (opening.opened()) {
            return new MioReadChannel(in, input(spec, opening, in));
        }
        in.close();
        return provider(inner).newByteChannel(inner, options);
    }

    private FileChannel layered(
            StackSpec spec, FrontOptions front, Opening opening, FileChannel channel)
            throws IOException {
        if (!opening.opened()) {
            return channel;
        }
        PlatformFile file = new PlatformFile(channel);
        OsLayer os = OsLayer.ofChannel(file, front.osName(), front.truncates());
        return MioFileChannel.over(file, layers(spec, opening, os), opening.oflags());
    }

    private Layer input(StackSpec spec, Opening opening, InputStream in) throws IOException {
        return layers(spec, opening, OsLayer.ofInput(in, FrontOptions.of(spec).osName()));
    }

    private Layer layers(StackSpec spec, Opening opening, OsLayer os) throws IOException {
        try {
            return stacks.open(spec, opening.request(), os);
        } catch (IOException | RuntimeException | Error e) {
            try {
                os.close();
            } catch (IOException failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    private StackSpec rule(Path inner) {
        StackSpec spec = stacks.match(inner.toString());
        return spec == null || PassedThrough.matches(inner) ? null : spec;
    }

    private static FileSystemProvider provider(Path inner) {
        return inner.getFileSystem().provider();
    }

    private static boolean readsOnly(Set<? extends OpenOption> options) {
        return options.isEmpty()
                || (options.size() == 1 && options.contains(StandardOpenOption.READ));
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
