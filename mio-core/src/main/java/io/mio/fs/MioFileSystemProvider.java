package io.mio.fs;

import io.mio.stack.Stacks;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The provider of the {@code mio} scheme, found by the JDK as an installed provider.
 *
 * <ul>
 *   <li>{@code mio:/path} and {@code mio:///path}: the file system that is always there, made at
 *       first use from the configuration of the process. It cannot be closed.
 *   <li>{@code mio://name/path}: made by {@code newFileSystem(URI.create("mio://name/"), map)} with
 *       a configuration of its own on top (keys of {@link io.mio.config.ConfigKey}), until it is
 *       closed.
 * </ul>
 *
 * All of them show the files of the platform's default file system.
 */
public final class MioFileSystemProvider extends MioProvider {
    private final StacksFactory factory;
    private final FileOpener shared;

    /** Guards the two fields below. */
    private final Object lock = new Object();

    private final Map<String, MioFileSystem> named = new HashMap<>();
    private MioFileSystem unnamed;

    /** Called by the JDK when it looks for installed providers. */
    public MioFileSystemProvider() {
        this(FileSystems.getDefault().provider());
    }

    private MioFileSystemProvider(FileSystemProvider platform) {
        this(platform, new ProcessStacks(unwrap(platform)));
    }

    MioFileSystemProvider(FileSystemProvider platform, StacksFactory factory) {
        this(platform, factory, PageFiles.OF_PROCESS);
    }

    MioFileSystemProvider(FileSystemProvider platform, StacksFactory factory, PageFiles pages) {
        super(unwrap(platform), pages);
        this.factory = factory;
        // One configuration and one report for the process, whichever door a file came through.
        this.shared = platform instanceof DefaultMioProvider ours ? ours.opener() : null;
    }

    private static FileSystemProvider unwrap(FileSystemProvider provider) {
        return provider instanceof DefaultMioProvider ours ? ours.inner() : provider;
    }

    @Override
    public String getScheme() {
        return MioUri.SCHEME;
    }

    /**
     * Makes the file system {@code mio://name/}.
     *
     * @throws IllegalArgumentException if the URI has another form or the configuration in {@code
     *     env} is wrong
     * @throws FileSystemAlreadyExistsException if there is one of this name, or the URI is {@code
     *     mio:///}, which is always there
     */
    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
        Objects.requireNonNull(env);
        String name = MioUri.wholeFileSystemName(uri);
        if (name == null) {
            throw new FileSystemAlreadyExistsException(
                    "mio:/// is always there; write mio://name/ for another one");
        }
        synchronized (lock) {
            if (named.containsKey(name)) {
                throw new FileSystemAlreadyExistsException("mio://" + name + "/");
            }
            MioFileSystem made = make(opener(load(env)), name);
            named.put(name, made);
            return made;
        }
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return find(MioUri.wholeFileSystemName(uri));
    }

    @Override
    public Path getPath(URI uri) {
        MioFileSystem fileSystem = find(MioUri.fileSystemName(uri));
        return new MioPath(fileSystem, inner().getPath(MioUri.toPlatform(uri)));
    }

    private MioFileSystem find(String name) {
        synchronized (lock) {
            if (name == null) {
                if (unnamed == null) {
                    FileOpener opener = shared;
                    if (opener == null) {
                        opener = opener(load(Collections.emptyMap()));
                    }
                    unnamed = make(opener, null);
                }
                return unnamed;
            }
            MioFileSystem found = named.get(name);
            if (found == null) {
                throw new FileSystemNotFoundException(
                        "mio://"
                                + name
                                + "/: make it with FileSystems.newFileSystem(URI, Map) first");
            }
            return found;
        }
    }

    /** Called when a file system with a name was closed: the name is free again. */
    void closed(MioFileSystem fileSystem) {
        synchronized (lock) {
            named.remove(fileSystem.name(), fileSystem);
        }
    }

    private MioFileSystem make(FileOpener opener, String name) {
        FileSystem platform = inner().getFileSystem(URI.create("file:///"));
        return new MioFileSystem(this, platform, opener, name);
    }

    private Stacks load(Map<String, ?> options) {
        OwnClasses.keep();
        Stacks stacks = factory.load(options);
        return stacks == null ? new NoStacks() : stacks;
    }
}
