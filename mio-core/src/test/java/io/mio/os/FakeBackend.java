package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A backend without a helper. All opens of a file share one descriptor, which no interrupt closes
 * and which lasts until the last of them is closed. Requests run on a thread of their own.
 */
public final class FakeBackend extends BackendFile {
    private static final Map<FileKey, Shared> FILES = new HashMap<>();

    private static final class Shared {
        RandomAccessFile file;
        int opens;
    }

    private final FileKey key;
    private final boolean direct;
    private final RandomAccessFile file;

    private FakeBackend(FileKey key, boolean direct, RandomAccessFile file) {
        this.key = key;
        this.direct = direct;
        this.file = file;
    }

    /** Opens a file by its name; returns null if the file is gone. */
    public static FakeBackend open(Path path, boolean direct) {
        try {
            Map<String, Object> facts = Files.readAttributes(path, "unix:dev,ino");
            FileKey key = new FileKey((Long) facts.get("dev"), (Long) facts.get("ino"));
            synchronized (FILES) {
                Shared shared = FILES.get(key);
                if (shared == null) {
                    shared = new Shared();
                    shared.file = new RandomAccessFile(path.toFile(), "rw");
                    FILES.put(key, shared);
                }
                shared.opens++;
                return new FakeBackend(key, direct, shared.file);
            }
        } catch (IOException e) {
            return null;
        }
    }

    /** The number of files that are open. */
    public static int openFiles() {
        synchronized (FILES) {
            return FILES.size();
        }
    }

    @Override
    public FileKey key() {
        return key;
    }

    @Override
    public Descriptors descriptors() {
        return Descriptors.NONE;
    }

    @Override
    public boolean isDirect() {
        return direct;
    }

    @Override
    public int alignmentBytes() {
        return 512;
    }

    @Override
    public boolean isReadable() {
        return true;
    }

    @Override
    int read(ByteBuffer dst, long offset) throws IOException {
        synchronized (file) {
            if (!dst.hasRemaining()) {
                return 0;
            }
            checkEnd(offset, dst.remaining());
            int bytes = (int) Math.min(dst.remaining(), Math.max(file.length() - offset, 0));
            if (bytes <= 0) {
                return -1;
            }
            byte[] copy = new byte[bytes];
            file.seek(offset);
            file.readFully(copy);
            dst.put(copy);
            return bytes;
        }
    }

    @Override
    int write(ByteBuffer src, long offset) throws IOException {
        if (!src.hasRemaining()) {
            return 0;
        }
        checkEnd(offset, src.remaining());
        byte[] copy = new byte[src.remaining()];
        src.duplicate().get(copy);
        synchronized (file) {
            file.seek(offset);
            file.write(copy);
        }
        src.position(src.limit());
        return copy.length;
    }

    /** Fails as the kernel does for a range beyond the largest offset, which no file has. */
    private static void checkEnd(long offset, int bytes) throws IOException {
        if (offset + bytes < 0) {
            throw new IOException("Invalid argument");
        }
    }

    @Override
    void submit(IoRequest request) {
        Thread thread = new Thread(() -> complete(request));
        thread.setDaemon(true);
        thread.start();
    }

    private void complete(IoRequest request) {
        int bytes;
        try {
            bytes =
                    request.isWrite()
                            ? write(request.buffer(), request.offset())
                            : read(request.buffer(), request.offset());
        } catch (IOException e) {
            request.complete(0, e);
            return;
        }
        request.complete(bytes, null);
    }

    @Override
    long size() throws IOException {
        synchronized (file) {
            return file.length();
        }
    }

    @Override
    boolean reserve(long offset, long bytes) {
        return false;
    }

    @Override
    void truncate(long size) throws IOException {
        synchronized (file) {
            if (size < file.length()) {
                file.setLength(size);
            }
        }
    }

    @Override
    void flush(boolean metadata) throws IOException {
        file.getFD().sync();
    }

    @Override
    void stopDirect() {}

    @Override
    void close() throws IOException {
        synchronized (FILES) {
            Shared shared = FILES.get(key);
            if (--shared.opens == 0) {
                FILES.remove(key);
                shared.file.close();
            }
        }
    }
}
