package io.mio.trace;

import io.mio.events.EventFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the events file or joins it, and makes it longer. The file is opened only for each of
 * these. Interrupts of the calling thread are kept for later.
 */
final class EventStorage {
    private static final int TRIES = 100;
    private static final long PAUSE_NANOS = 1_000_000;

    /** Most pauses that the maker of the file needs to write its header. */
    private static final int HEADER_TRIES = 20;

    private static final int HEAD_BYTES = EventFormat.AT_CLAIMED;

    /** One for all, because direct memory is the program's and must not be used up. */
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(EventFormat.BLOCK_BYTES);

    private final FileSystemProvider provider;
    private final Path path;
    private final EventFacts facts;
    private final Path self;
    private ByteBuffer header;
    private Object key;

    /** Kinds of files that may be there already. */
    private enum Found {
        OURS,
        OLD,
        FOREIGN,
        UNFINISHED
    }

    /** Opens nothing yet; {@code platform} is the file system of the machine itself. */
    EventStorage(FileSystem platform, EventFacts facts) {
        this.provider = platform.provider();
        this.path = platform.getPath(facts.path());
        this.facts = facts;
        this.self = platform.getPath("/proc/self");
    }

    /**
     * Makes the file anew, or joins one that a process of the same tree has made.
     *
     * @return the header, mapped
     * @throws FileAlreadyExistsException if there is something else, which is left alone
     */
    ByteBuffer open() throws IOException {
        new Quietly() {
            @Override
            void run() throws IOException {
                try (FileChannel channel = makeOrJoin()) {
                    header =
                            channel.map(FileChannel.MapMode.READ_WRITE, 0, EventFormat.HEADER_USED)
                                    .order(ByteOrder.nativeOrder());
                    key = key();
                }
            }
        }.call();
        return header;
    }

    /**
     * Sets space aside for blocks and maps them.
     *
     * @throws IOException if there is no space, or another file is there by now
     */
    ByteBuffer blocks(long first, int count) throws IOException {
        ByteBuffer[] mapped = new ByteBuffer[1];
        new Quietly() {
            @Override
            void run() throws IOException {
                long from = EventFormat.HEADER_BYTES + first * EventFormat.BLOCK_BYTES;
                int bytes = count * EventFormat.BLOCK_BYTES;
                try (FileChannel channel = openThere()) {
                    if (!key.equals(key())) {
                        throw new FileSystemException(path.toString(), null, "it was replaced");
                    }
                    for (int block = 0; block < count; block++) {
                        write(
                                channel,
                                ZEROS.duplicate(),
                                from + (long) block * EventFormat.BLOCK_BYTES);
                    }
                    mapped[0] =
                            channel.map(FileChannel.MapMode.READ_WRITE, from, bytes)
                                    .order(ByteOrder.nativeOrder());
                }
            }
        }.call();
        return mapped[0];
    }

    private FileChannel makeOrJoin() throws IOException {
        int unfinished = 0;
        for (int i = 0; i < TRIES; i++) {
            try {
                return create();
            } catch (FileAlreadyExistsException there) {
                // What is there is looked at next.
            }
            FileChannel channel;
            try {
                channel = openThere();
            } catch (NoSuchFileException gone) {
                continue;
            }
            Found found = Found.FOREIGN;
            try {
                found = judge(channel);
                if (found == Found.UNFINISHED && ++unfinished < HEADER_TRIES) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                } else if (found == Found.OLD || found == Found.UNFINISHED) {
                    replace(channel);
                }
            } finally {
                if (found != Found.OURS) {
                    channel.close();
                }
            }
            if (found == Found.OURS) {
                return channel;
            }
            if (found == Found.FOREIGN) {
                throw noEventsFile();
            }
        }
        throw new FileSystemException(path.toString(), null, "others are making it all the time");
    }

    private IOException noEventsFile() {
        return new FileAlreadyExistsException(
                path.toString(), null, "what is there is no events file");
    }

    private FileChannel create() throws IOException {
        FileAttribute<?> mode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        Set<OpenOption> options =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        FileChannel channel = provider.newFileChannel(path, options, mode);
        try {
            write(channel, headerBytes(), 0);
            return channel;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            provider.deleteIfExists(path);
            throw e;
        }
    }

    private ByteBuffer headerBytes() {
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(EventFormat.HEADER_BYTES).order(ByteOrder.nativeOrder());
        bytes.put(0, "MIOEVENT".getBytes(StandardCharsets.US_ASCII));
        bytes.putInt(8, EventFormat.BYTE_ORDER);
        bytes.putShort(12, (short) EventFormat.MAJOR);
        bytes.putShort(14, (short) EventFormat.MINOR);
        bytes.putInt(16, EventFormat.HEADER_BYTES);
        bytes.putInt(20, EventFormat.BLOCK_BYTES);
        bytes.putInt(24, EventFormat.BLOCK_HEADER_BYTES);
        bytes.putInt(28, EventFormat.RECORD_BYTES);
        bytes.putInt(32, (int) facts.process());
        bytes.putInt(36, facts.door());
        bytes.putLong(40, facts.realtimeNanos());
        bytes.putLong(48, facts.monotonicNanos());
        bytes.putLong(56, facts.tree());
        bytes.putLong(64, facts.limitBytes());
        text(bytes, EventFormat.AT_PROGRAM, facts.program());
        text(bytes, EventFormat.AT_HOST, facts.host());
        text(bytes, EventFormat.AT_LIBRARY, facts.library());
        return bytes;
    }

    private static void text(ByteBuffer bytes, int at, String text) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        bytes.put(at, all, 0, Math.min(all.length, EventFormat.HEADER_TEXT_BYTES - 1));
    }

    /** Opens what is there: it must be a file of this user, and no symbolic link. */
    private FileChannel openThere() throws IOException {
        if (attributes("isSymbolicLink").containsValue(true)) {
            throw new FileAlreadyExistsException(
                    path.toString(),
                    null,
                    "what is there is a symbolic link, and no events are written through one");
        }
        Map<String, Object> what = attributes("isRegularFile");
        Object owner = provider.readAttributes(self, "unix:uid").get("uid");
        if (!what.containsValue(true) || !attributes("unix:uid").get("uid").equals(owner)) {
            throw noEventsFile();
        }
        return provider.newFileChannel(
                path,
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
    }

    private Map<String, Object> attributes(String names) throws IOException {
        return provider.readAttributes(path, names, LinkOption.NOFOLLOW_LINKS);
    }

    private Object key() throws IOException {
        return attributes("fileKey").get("fileKey");
    }

    private Found judge(FileChannel channel) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.nativeOrder());
        if (!hasMagic(channel, head)) {
            if (isUnfinished(channel)) {
                return Found.UNFINISHED;
            }
            // Another process may have finished it in between.
            if (!hasMagic(channel, head)) {
                return Found.FOREIGN;
            }
        }
        boolean ours =
                head.getLong(56) == facts.tree()
                        && head.getInt(8) == EventFormat.BYTE_ORDER
                        && head.getShort(12) == EventFormat.MAJOR
                        && head.getInt(16) == EventFormat.HEADER_BYTES
                        && head.getInt(20) == EventFormat.BLOCK_BYTES
                        && head.getInt(28) == EventFormat.RECORD_BYTES;
        return ours ? Found.OURS : Found.OLD;
    }

    /** Reads the beginning of a file; true if it is that of an events file. */
    private static boolean hasMagic(FileChannel channel, ByteBuffer head) throws IOException {
        fill(channel, head.clear());
        byte[] magic = new byte[8];
        head.get(0, magic);
        return !head.hasRemaining()
                && new String(magic, StandardCharsets.ISO_8859_1).equals("MIOEVENT");
    }

    private static void fill(FileChannel channel, ByteBuffer bytes) throws IOException {
        int count = 0;
        while (bytes.hasRemaining() && count >= 0) {
            count = channel.read(bytes, bytes.position());
        }
    }

    /**
     * Whether the file has only zeros, and no more of them than a header has: a header's space is
     * set aside before it is written.
     */
    private static boolean isUnfinished(FileChannel channel) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(EventFormat.HEADER_BYTES + 1);
        fill(channel, all);
        if (!all.hasRemaining()) {
            return false;
        }
        for (int i = 0; i < all.position(); i++) {
            if (all.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Removes an old file. Two processes do not both replace it: one gets the lock, and the other
     * then finds the new file.
     */
    private void replace(FileChannel channel) throws IOException {
        Object seen = key();
        FileLock lock = channel.tryLock();
        for (int i = 0; i < TRIES && lock == null; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            lock = channel.tryLock();
        }
        try {
            if (key().equals(seen)) {
                provider.delete(path);
            }
        } catch (NoSuchFileException gone) {
            // Another process has done it; the new file is looked at next.
            return;
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long from) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes, from + bytes.position());
        }
    }

    /** A piece of work on channels of its own, repeated when an interrupt ends it. */
    private abstract static class Quietly {
        abstract void run() throws IOException;

        void call() throws IOException {
            boolean interrupted = Thread.interrupted();
            try {
                while (true) {
                    try {
                        run();
                        return;
                    } catch (ClosedByInterruptException e) {
                        interrupted |= Thread.interrupted();
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
