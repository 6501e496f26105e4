package io.mio.os;

import io.mio.layer.IoRequest;
import java.io.IOException;

/**
 * Requests of virtual threads: a native call would hold the thread that carries it, so the backend
 * does the request and the virtual thread waits, which lets others run.
 */
final class VirtualThreads {
    /** Superclass of all of them, since JDK 19. */
    private static final String BASE = "java.lang.BaseVirtualThread";

    private VirtualThreads() {}

    static boolean isCurrent() {
        Class<?> type = Thread.currentThread().getClass();
        if (type == Thread.class) {
            return false;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(BASE)) {
                return true;
            }
        }
        return false;
    }

    /** Has the file's backend do it; waits through interrupts, and keeps them. */
    static int handOver(OwnFile file, Transfer transfer) throws IOException {
        IoRequest request = transfer.asRequest();
        file.submit(request);
        request.awaitThroughInterrupts();
        if (request.error() instanceof IOException e) {
            throw e;
        }
        if (request.error() != null) {
            throw new IOException(request.error());
        }
        return request.delivered();
    }
}
