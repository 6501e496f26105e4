package io.mio.os;

import com.sun.jna.JNIEnv;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The helper's functions on files, rings and frame memory, as C declares them. They return bytes, a
 * number or 0 on success, {@code -errno} else. Bound by {@link NativeBinding#bind}; to be named
 * only where the helper is available, because this class names JNA's types. Memory whose address is
 * passed must stay reachable until the call, or the request it started, is done.
 */
final class NativeCalls {
    /** Access of {@link #reopen}. */
    static final int READ = 0;

    static final int WRITE = 1;
    static final int READ_WRITE = 2;

    /** Flag of reads and writes: they leave nothing in the kernel's page cache. */
    static final int DONTCACHE = 0x80;

    /** Indexes of the numbers that {@link #identity} tells. */
    static final int DEVICE = 0;

    static final int INODE = 1;
    static final int HAS_BLOCKS = 2;
    static final int PLACE = 3;
    static final int IDENTITY_NUMBERS = 4;

    /** Values of {@link #PLACE}. */
    static final int PLACE_MEMORY = 1;

    static final int PLACE_REMOTE = 2;
    static final int PLACE_SHARED = 3;

    /** 8-byte numbers that describe a request to a ring, see {@code os_uring.h}. */
    static final int OP_WORDS = 8;

    /** 8-byte numbers of a completion. */
    static final int DONE_WORDS = 2;

    private NativeCalls() {}

    /** The exception for a failed call, with the system's words, as the JDK does it. */
    static IOException failure(int errno) {
        return new IOException(NativeBinding.errorText(errno));
    }

    /** Address of a direct buffer's element 0. */
    static long address(ByteBuffer direct) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }

    /** The memory at an address as a buffer in the machine's byte order; nobody frees it. */
    static ByteBuffer memory(long address, int bytes) {
        return new Pointer(address).getByteBuffer(0, bytes);
    }

    /** The number of a channel's descriptor, or -1; the caller has checked its class. */
    static int descriptor(Object channel, String field) {
        return mio_jvm_channel_descriptor(JNIEnv.CURRENT, channel, field);
    }

    static int identity(int fd, long[] numbers) {
        return mio_jvm_file_identity(fd, numbers);
    }

    /**
     * Counts the descriptors of this process on a file: those that only read, and those that can
     * write.
     *
     * @param known a bit for each number that is not counted
     */
    static int countDescriptors(long device, long inode, long[] known, int[] readersAndWriters) {
        return mio_jvm_descriptors_count(device, inode, known, known.length, readersAndWriters);
    }

    static int reopen(int fd, int access, boolean direct) {
        return mio_jvm_file_reopen(fd, access, direct ? 1 : 0);
    }

    static int duplicate(int fd) {
        return mio_jvm_file_duplicate(fd);
    }

    static int close(int fd) {
        return mio_jvm_file_close(fd);
    }

    static int read(int fd, long address, int length, long offset, int alignBytes, int flags) {
        return mio_jvm_file_read(fd, address, length, offset, alignBytes, flags);
    }

    static int write(int fd, long address, int length, long offset, int alignBytes, int flags) {
        return mio_jvm_file_write(fd, address, length, offset, alignBytes, flags);
    }

    static long size(int fd) {
        return mio_jvm_file_size(fd);
    }

    static int truncate(int fd, long size) {
        return mio_jvm_file_truncate(fd, size);
    }

    static int sync(int fd, boolean metadata) {
        return mio_jvm_file_sync(fd, metadata ? 1 : 0);
    }

    static int reserve(int fd, long offset, long length) {
        return mio_jvm_file_reserve(fd, offset, length);
    }

    /** As {@link io.mio.layer.KernelCache#has}: 1, 0 or {@code -errno}. */
    static int isCached(int fd, long offset, long length) {
        return mio_jvm_cache_has(fd, offset, length);
    }

    /** As {@link io.mio.layer.KernelCache#changedNanos}. */
    static long changedNanos(int fd) {
        return mio_jvm_cache_changed(fd);
    }

    /** As {@link io.mio.layer.KernelCache#callNanos}, or {@code -errno}. */
    static long callNanos(int fd, long offset) {
        return mio_jvm_cache_call_ns(fd, offset);
    }

    static int readAhead(int fd, long device, long offset, long length) {
        return mio_jvm_cache_read_ahead(fd, device, offset, length);
    }

    /**
     * As {@link #readAhead}, in large folios.
     *
     * @param one a descriptor of {@link #openForFolios}
     * @param other another such descriptor
     */
    static int readFoliosAhead(int one, int other, long device, long offset, long length) {
        return mio_jvm_folios_read_ahead(one, other, device, offset, length);
    }

    /** Opens the file of a descriptor once more, for reading; its number, or {@code -errno}. */
    static int openForFolios(int fd) {
        return mio_jvm_folios_open(fd);
    }

    /** True if the kernel can be made to read ahead in large folios, as far as is known. */
    static boolean hasFolios(int fd, long device) {
        return mio_jvm_folios_are_large(fd, device) > 0;
    }

    /** As {@link io.mio.layer.KernelCache#nudge}: 1 or 0. */
    static int nudge(int fd, long offset, long bytes) {
        return mio_jvm_cache_nudge(fd, offset, bytes);
    }

    /** How far the kernel reads ahead by itself on a device, bytes; 0 if it does not tell. */
    static long readAheadReach(long device) {
        return mio_jvm_cache_reach(device);
    }

    /** As {@link io.mio.layer.KernelCache#roomBytes}. */
    static long room() {
        return mio_jvm_room();
    }

    /** Returns an address, or 0 if there is not so much memory. */
    static long takeMemory(long bytes) {
        return mio_jvm_arena_take(bytes);
    }

    static void giveMemory(long address, long bytes) {
        mio_jvm_arena_give(address, bytes);
    }

    static int openRing(int entries, long[] ring) {
        return mio_jvm_ring_open(entries, ring);
    }

    /** Returns 0, or the -errno with which every ring is refused; opens none. */
    static int ringRefusal() {
        return mio_jvm_ring_refusal();
    }

    static int enterRing(
            long ring, long ops, int count, long dones, int max, boolean wait, int[] submitted) {
        return mio_jvm_ring_enter(ring, ops, count, dones, max, wait ? 1 : 0, submitted);
    }

    static int wakeRing(long ring) {
        return mio_jvm_ring_wake(ring);
    }

    static void closeRing(long ring) {
        mio_jvm_ring_close(ring);
    }

    private static native int mio_jvm_channel_descriptor(JNIEnv env, Object channel, String field);

    private static native int mio_jvm_file_identity(int fd, long[] numbers);

    private static native int mio_jvm_descriptors_count(
            long device, long inode, long[] known, int words, int[] readersAndWriters);

    private static native int mio_jvm_file_reopen(int fd, int access, int direct);

    private static native int mio_jvm_file_duplicate(int fd);

    private static native int mio_jvm_file_close(int fd);

    private static native int mio_jvm_file_read(
            int fd, long address, int length, long offset, int alignBytes, int flags);

    private static native int mio_jvm_file_write(
            int fd, long address, int length, long offset, int alignBytes, int flags);

    private static native long mio_jvm_file_size(int fd);

    private static native int mio_jvm_file_truncate(int fd, long size);

    private static native int mio_jvm_file_sync(int fd, int metadata);

    private static native int mio_jvm_file_reserve(int fd, long offset, long length);

    private static native int mio_jvm_cache_has(int fd, long offset, long length);

    private static native int mio_jvm_cache_read_ahead(
            int fd, long device, long offset, long length);

    private static native int mio_jvm_folios_are_large(int fd, long device);

    private static native int mio_jvm_folios_open(int fd);

    private static native int mio_jvm_folios_read_ahead(
            int one, int other, long device, long offset, long length);

    private static native int mio_jvm_cache_nudge(int fd, long offset, long bytes);

    private static native long mio_jvm_cache_reach(long device);

    private static native long mio_jvm_cache_changed(int fd);

    private static native long mio_jvm_cache_call_ns(int fd, long offset);

    private static native long mio_jvm_room();

    private static native long mio_jvm_arena_take(long bytes);

    private static native void mio_jvm_arena_give(long address, long bytes);

    private static native int mio_jvm_ring_open(int entries, long[] ring);

    private static native int mio_jvm_ring_refusal();

    private static native int mio_jvm_ring_enter(
            long ring, long ops, int count, long dones, int max, int wait, int[] submitted);

    private static native int mio_jvm_ring_wake(long ring);

    private static native void mio_jvm_ring_close(long ring);
}
