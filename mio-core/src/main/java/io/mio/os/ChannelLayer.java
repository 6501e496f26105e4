package io.mio.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;

/** The last layer over a platform channel: each request is a positional call on it. */
final class ChannelLayer extends OsLayer {
    private final PlatformFile file;
    private final FileChannel channel;
    private final boolean truncates;

    ChannelLayer(PlatformFile file, String name, boolean truncates) {
        super(name);
        this.file = file;
        this.channel = file.channel();
        this.truncates = truncates;
    }

    @Override
    public OsLayer reopenDirect(String path, int oflags, Consumer<String> debug) {
        return BackendLayer.reopen(file, name(), truncates, path, oflags, debug);
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return channel.read(dst, offset);
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        return count == 1 ? channel.read(dsts[from], offset) : file.read(dsts, from, count, offset);
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        return offset == APPEND ? channel.write(src) : channel.write(src, offset);
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        return count == 1 ? write(srcs[from], offset) : file.write(srcs, from, count, offset);
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public boolean truncates() {
        return truncates;
    }

    @Override
    public void truncate(long size) throws IOException {
        if (truncates) {
            file.truncate(size);
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        channel.force(metadata);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
