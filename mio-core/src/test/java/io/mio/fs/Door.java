package io.mio.fs;

import io.mio.stack.StackBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;

/** The ways into MIO through which the contract is run: without a rule, and with layers. */
enum Door {
    SCHEME("mio://") {
        @Override
        FileSystem open() {
            return FileSystems.getFileSystem(URI.create("mio:///"));
        }
    },
    NAMED("mio://contract") {
        @Override
        FileSystem open() throws IOException {
            return new MioFileSystemProvider(platform(), options -> TestStack.TRACE.stacks())
                    .newFileSystem(URI.create("mio://contract/"), Map.of());
        }
    },
    /** No rule matches, but every file has pages by another open. */
    JOINING("mio://joining") {
        @Override
        FileSystem open() throws IOException {
            StackBuilder none = StackBuilder.load(Map.of("files", ""), FileSystems.getDefault());
            return new MioFileSystemProvider(platform(), options -> none, FakePages.ofAll())
                    .newFileSystem(URI.create("mio://joining/"), Map.of());
        }
    },
    DEFAULT("file://") {
        @Override
        FileSystem open() {
            return new DefaultMioProvider(platform(), options -> TestStack.TRACE_TWICE.stacks())
                    .getFileSystem(URI.create("file:///"));
        }
    };

    private final String uriPrefix;

    Door(String uriPrefix) {
        this.uriPrefix = uriPrefix;
    }

    abstract FileSystem open() throws IOException;

    /** The start of the door's URIs, up to the path. */
    String uriPrefix() {
        return uriPrefix;
    }

    static FileSystemProvider platform() {
        return FileSystems.getDefault().provider();
    }
}
