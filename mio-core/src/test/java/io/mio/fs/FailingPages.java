package io.mio.fs;

import io.mio.os.BackendFile;
import io.mio.os.Backends;
import io.mio.os.FailingBackend;
import java.io.Closeable;
import java.nio.channels.Channel;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Real pages whose requests fail as a test wants. */
final class FailingPages extends PageFiles {
    private final FailingBackend.Faults faults;

    FailingPages(FailingBackend.Faults faults) {
        this.faults = faults;
    }

    @Override
    BackendFile backend(
            Channel channel,
            Path path,
            int oflags,
            Backends.Wish wish,
            Consumer<String> debug,
            Consumer<Closeable> kept) {
        BackendFile real = super.backend(channel, path, oflags, wish, debug, kept);
        return real == null ? null : new FailingBackend(real, faults);
    }
}
