package io.mio.os;

import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A read or write on its way, cut into steps: whole sectors go through the direct descriptor, what
 * lies before and after them through the buffered one. A read continues after short counts until
 * the file ends. Used by one thread at a time.
 */
final class Transfer {
    private final OwnFile file;
    private final boolean write;
    private final ByteBuffer buffer;
    private final IoRequest request;
    private final long offset;
    private final int start;
    private int length;
    private int done;
    private boolean ended;
    private Throwable error;

    /** The direct descriptor refused, or moved a part of a sector: the rest is buffered. */
    private boolean bufferedRest;

    private boolean refused;

    /** Descriptor of the current step. */
    private Descriptor descriptor;

    private int stepBytes;
    private int stepAlignBytes;
    private int stepFlags;
    private boolean stepDirect;

    /**
     * @param request what to complete, or null
     */
    Transfer(OwnFile file, boolean write, ByteBuffer buffer, long offset, IoRequest request) {
        if (offset < 0) {
            throw new IllegalArgumentException("negative offset " + offset);
        }
        if (!write && buffer.isReadOnly()) {
            throw new IllegalArgumentException("the buffer is read-only");
        }
        this.file = file;
        this.write = write;
        this.buffer = buffer;
        this.request = request;
        this.offset = offset;
        this.start = buffer.position();
        this.length = buffer.remaining();
    }

    /**
     * Ends a read that begins before the end of the file there. Direct I/O would write zeros to
     * memory for what lies behind the end, in the last sector.
     */
    void endAt(long size) {
        if (offset < size) {
            length = (int) Math.min(length, size - offset);
        }
    }

    OwnFile file() {
        return file;
    }

    boolean isWrite() {
        return write;
    }

    /** A request for the same bytes, to be submitted. */
    IoRequest asRequest() {
        return write
                ? IoRequest.write(buffer, offset, ended -> {})
                : IoRequest.read(buffer, offset, ended -> {});
    }

    /** Finds the next step; false if there is none, because all is done or a step failed. */
    private boolean next() {
        if (done == length || ended || error != null) {
            return false;
        }
        if (write ? !file.isWritable() : !file.isReadable()) {
            error = new IOException("Bad file descriptor");
            return false;
        }
        int rest = length - done;
        long at = offset + done;
        descriptor = file.buffered();
        stepBytes = rest;
        stepAlignBytes = 1;
        stepDirect = false;
        Descriptor direct = bufferedRest ? null : file.direct();
        if (direct != null) {
            int align = file.alignmentBytes();
            int inSector = (int) (at % align);
            if (inSector != 0) {
                stepBytes = Math.min(rest, align - inSector);
            } else if (rest >= align) {
                stepBytes = rest - rest % align;
                stepAlignBytes = align;
                stepDirect = true;
                descriptor = direct;
            }
        }
        stepFlags = !stepDirect && file.isUncached() ? NativeCalls.DONTCACHE : 0;
        return true;
    }

    /** As {@link #next}, for a ring, which uses memory in place: a misaligned step is buffered. */
    boolean nextInPlace() {
        if (!next()) {
            return false;
        }
        if (stepDirect && !isAligned()) {
            descriptor = file.buffered();
            stepDirect = false;
            stepFlags = file.isUncached() ? NativeCalls.DONTCACHE : 0;
        }
        return true;
    }

    /** Whether a ring can do it, which needs a descriptor and memory that is never moved. */
    boolean isForRing() {
        return buffer.isDirect() && file.buffered().number() >= 0;
    }

    private boolean isAligned() {
        return buffer.alignmentOffset(start + done, file.memoryAlignBytes()) == 0;
    }

    int stepDescriptor() {
        return descriptor.number();
    }

    long stepAddress() {
        return NativeCalls.address(buffer) + start + done;
    }

    long stepOffset() {
        return offset + done;
    }

    int stepBytes() {
        return stepBytes;
    }

    int stepFlags() {
        return stepFlags;
    }

    boolean stepIsDirect() {
        return stepDirect;
    }

    /**
     * Takes the result of the step by a ring: bytes, 0 at the end, {@code -errno}. After {@code
     * EAGAIN} and {@code ECANCELED} the step has to be done again, by a call that waits.
     */
    void advance(int result) {
        if (result < 0) {
            failed(-result);
        } else if (result == 0) {
            ended = true;
            if (write) {
                error = new IOException("Input/output error");
            }
        } else {
            if (stepDirect && result % stepAlignBytes != 0) {
                bufferedRest = true;
            }
            if (refused && !stepDirect) {
                refused = false;
                file.dropDirect();
            }
            done += result;
        }
    }

    private void failed(int errno) {
        if (errno == Errno.EOPNOTSUPP && stepFlags != 0) {
            file.dropUncached();
        } else if (errno == Errno.EINVAL && stepDirect) {
            bufferedRest = true;
            refused = true;
        } else if (!Errno.isPassing(errno)) {
            error = NativeCalls.failure(errno);
        }
    }

    /**
     * Does the steps that are left in this thread.
     *
     * @return bytes of the whole transfer, -1 at the end of the file
     * @throws IOException the first failure; the buffer's position tells how far it came
     */
    int run() throws IOException {
        runSteps();
        buffer.position(start + done);
        if (error instanceof IOException e) {
            throw e;
        }
        if (error != null) {
            throw new IOException(error);
        }
        return result();
    }

    private int result() {
        return done == 0 && length > 0 && !write ? -1 : done;
    }

    private void runSteps() {
        try {
            while (next()) {
                if (buffer.isDirect() && (!stepDirect || isAligned())) {
                    step(buffer, start + done, stepBytes);
                } else {
                    stagedStep();
                }
            }
            if (write && done > 0) {
                sync();
            }
        } catch (RuntimeException | Error e) {
            error = e;
        }
    }

    /** If the program asked for that, bytes count as written only when the device has them. */
    private void sync() {
        try {
            file.written();
        } catch (IOException e) {
            error = e;
            done = 0;
        }
    }

    private void stagedStep() {
        ByteBuffer stage = Staging.take();
        try {
            int bytes = stepBytes;
            if (bytes > stage.capacity()) {
                bytes = stage.capacity() - stage.capacity() % stepAlignBytes;
            }
            int at = start + done;
            if (write) {
                stage.put(0, buffer, at, bytes);
            }
            int before = done;
            step(stage, 0, bytes);
            if (!write) {
                buffer.put(at, stage, 0, done - before);
            }
        } finally {
            Staging.give(stage);
        }
    }

    private void step(ByteBuffer memory, int at, int bytes) {
        try {
            long where = offset + done;
            int result =
                    write
                            ? descriptor.write(memory, at, bytes, where, stepAlignBytes, stepFlags)
                            : descriptor.read(memory, at, bytes, where, stepAlignBytes, stepFlags);
            if (result == -Errno.EAGAIN || result == -Errno.ECANCELED) {
                // From a ring this may mean that it did not wait. This call has waited, so it is
                // the file system's answer, which may stay the same for ever.
                error = NativeCalls.failure(-result);
            } else {
                advance(result);
            }
        } catch (IOException e) {
            // The platform's own channel does not tell why, so the buffered step has to.
            if (stepDirect) {
                bufferedRest = true;
                refused = true;
            } else {
                error = e;
            }
        }
    }

    /** Does the steps that are left in this thread, then completes the request. */
    void runAndComplete() {
        runSteps();
        complete();
    }

    /** Completes the request. A completion that throws does not disturb the backend. */
    void complete() {
        try {
            buffer.position(start + done);
        } catch (IllegalArgumentException e) {
            // Someone moved the limit meanwhile: the request fails, but it completes.
            error = error == null ? e : error;
        }
        file.leave();
        try {
            request.complete(error == null ? result() : 0, error);
        } catch (RuntimeException | Error e) {
            // The mistake of the request's maker; it must end no thread that others depend on.
            return;
        }
    }
}
