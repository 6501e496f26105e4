package io.mio.layer;

import io.mio.events.PageOperation;

/**
 * Receives what happens to the pages of a file. Called on any thread, with and without the lock of
 * the cache: must not call the cache, and must not throw.
 */
public interface PageWatch {
    /**
     * Something happened just now.
     *
     * @param frame of the cache, 0-based
     * @param offset in the file, bytes
     * @param bytes concerned
     */
    void happened(PageOperation operation, int frame, long offset, long bytes);

    /**
     * An operation on a page has ended.
     *
     * @param frame of the cache, 0-based
     * @param offset in the file, bytes
     * @param bytes concerned
     * @param delivered bytes moved
     * @param error why it failed, or null
     * @param asynchronous whether the program ran on meanwhile
     * @param began {@link System#nanoTime} before the operation
     */
    void ended(
            PageOperation operation,
            int frame,
            long offset,
            long bytes,
            long delivered,
            Throwable error,
            boolean asynchronous,
            long began);
}
