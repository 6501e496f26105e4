package io.mio.fs;

import io.mio.stack.StackBuilder;
import io.mio.stack.Stacks;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;

/** The rules of this process: the one place where the door meets the configuration. */
final class ProcessStacks implements StacksFactory {
    private final FileSystem platform;

    ProcessStacks(FileSystemProvider platform) {
        this.platform = platform.getFileSystem(URI.create("file:///"));
    }

    @Override
    public Stacks load(Map<String, ?> options) {
        return StackBuilder.load(options, platform);
    }
}
