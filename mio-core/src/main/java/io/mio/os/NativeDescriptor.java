package io.mio.os;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** A descriptor that the helper works on. */
final class NativeDescriptor extends Descriptor {
    private final int fd;

    NativeDescriptor(int fd) {
        this.fd = fd;
        OwnNumbers.add(fd);
    }

    @Override
    int number() {
        return fd;
    }

    @Override
    int read(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags) {
        long address = NativeCalls.address(memory) + at;
        try {
            return NativeCalls.read(fd, address, length, offset, alignBytes, flags);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    @Override
    int write(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags) {
        long address = NativeCalls.address(memory) + at;
        try {
            return NativeCalls.write(fd, address, length, offset, alignBytes, flags);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    @Override
    long size() throws IOException {
        long size = NativeCalls.size(fd);
        if (size < 0) {
            throw NativeCalls.failure((int) -size);
        }
        return size;
    }

    @Override
    void truncate(long size) throws IOException {
        check(NativeCalls.truncate(fd, size));
    }

    @Override
    void sync(boolean metadata) throws IOException {
        check(NativeCalls.sync(fd, metadata));
    }

    @Override
    boolean reserve(long offset, long bytes) throws IOException {
        int result = NativeCalls.reserve(fd, offset, bytes);
        if (result == -Errno.EOPNOTSUPP) {
            return false;
        }
        check(result);
        return true;
    }

    @Override
    void close() {
        OwnNumbers.remove(fd);
        NativeCalls.close(fd);
    }

    private static void check(int result) throws IOException {
        if (result < 0) {
            throw NativeCalls.failure(-result);
        }
    }
}
