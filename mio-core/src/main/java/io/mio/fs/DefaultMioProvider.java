package io.mio.fs;

import io.mio.config.ConfigException;
import io.mio.stack.Stacks;
import io.mio.stats.HostLine;
import io.mio.stats.OpenReports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.Collections;
import java.util.Map;

/**
 * The default provider of a JVM started with {@code
 * -Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider}: every use of {@code
 * java.nio.file} in the program goes through it, unmodified. {@code java.io} does not.
 *
 * <p>The JVM makes this provider while it starts, before the default file system exists: no code
 * here may ask for a path, a resource, a service or a logger.
 *
 * <p>With {@code mio.enabled=false} the JVM gets the platform's own file system.
 */
public final class DefaultMioProvider extends MioProvider {
    /** Null when MIO is switched off. */
    private final MioFileSystem fileSystem;

    /**
     * Called by the JVM.
     *
     * @throws IllegalArgumentException if the configuration is wrong; says where and what to do
     */
    public DefaultMioProvider(FileSystemProvider parent) {
        this(parent, new ProcessStacks(parent));
    }

    DefaultMioProvider(FileSystemProvider parent, StacksFactory factory) {
        super(parent, PageFiles.OF_PROCESS);
        Stacks stacks = load(factory);
        fileSystem =
                stacks == null
                        ? null
                        : new MioFileSystem(this, platformFileSystem(), opener(stacks), null);
        if (fileSystem != null) {
            OpenReports.begin();
        }
    }

    /** Loads the rules. The JVM hides an exception below two of its own, so a line says it too. */
    private static Stacks load(StacksFactory factory) {
        try {
            return factory.load(Collections.emptyMap());
        } catch (ConfigException e) {
            HostLine.write(e.getMessage() + "\n(-Dmio.enabled=false runs the program without MIO)");
            throw e;
        }
    }

    private FileSystem platformFileSystem() {
        return inner().getFileSystem(URI.create("file:///"));
    }

    /** The opener, also that of the unnamed file system of the {@code mio} scheme; null if off. */
    FileOpener opener() {
        return fileSystem == null ? null : fileSystem.opener();
    }

    @Override
    public String getScheme() {
        return "file";
    }

    /** Always fails, as the platform's does: there is only one. */
    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
        return inner().newFileSystem(uri, env);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        FileSystem platform = inner().getFileSystem(uri);
        return fileSystem == null ? platform : fileSystem;
    }

    @Override
    public Path getPath(URI uri) {
        Path path = inner().getPath(uri);
        if (fileSystem == null) {
            return path;
        }
        if (path.getFileSystem() == fileSystem) {
            // "file:/x": the platform's provider makes this one from a java.io.File, whose path is
            // the default file system's.
            return path;
        }
        FileSystem platform = fileSystem.inner();
        if (path.getFileSystem() != platform) {
            // Also so where yet another provider is the default and wraps this one.
            path = platform.getPath(path.toString());
        }
        return new MioPath(fileSystem, path);
    }
}
