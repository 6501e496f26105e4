package io.mio.cli.events.export;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;

/**
 * A message in the wire format of Protocol Buffers, built in memory and used again and again. It
 * has room for what this package writes: a few numbers, and texts of {@link Facts#TEXT_MAX}.
 */
final class ProtoMessage {
    private static final int BYTES_MAX = 1 << 16;

    private final byte[] bytes = new byte[BYTES_MAX];
    private CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    /** Makes the message empty. */
    ProtoMessage begin() {
        out = CodedOutputStream.newInstance(bytes);
        return this;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    ProtoMessage number(int field, long value) throws IOException {
        out.writeInt64(field, value);
        return this;
    }

    ProtoMessage fixed(int field, long value) throws IOException {
        out.writeFixed64(field, value);
        return this;
    }

    ProtoMessage text(int field, String value) throws IOException {
        out.writeString(field, value);
        return this;
    }

    ProtoMessage message(int field, ProtoMessage value) throws IOException {
        out.writeByteArray(field, value.bytes, 0, value.size());
        return this;
    }

    /** Writes the message as a field of a message that has no end. */
    void to(CodedOutputStream stream, int field) throws IOException {
        stream.writeByteArray(field, bytes, 0, size());
    }

    private int size() {
        return out.getTotalBytesWritten();
    }
}
