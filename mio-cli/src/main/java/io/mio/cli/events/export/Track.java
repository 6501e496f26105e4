package io.mio.cli.events.export;

/**
 * A line of the picture.
 *
 * @param id unique in the document, from 1
 * @param kind what is drawn on it
 * @param parent the track it belongs to, null for a process
 * @param process number of the process
 * @param thread number of the thread; tracks of threads only
 * @param row 0, or more where slices would overlap
 * @param name the name, made harmless
 * @param about more words, may be empty
 */
record Track(
        long id,
        Kind kind,
        Track parent,
        long process,
        long thread,
        int row,
        String name,
        String about) {

    enum Kind {
        PROCESS("process", 0, false),
        /** Calls in a thread. */
        THREAD("call", 16, true),
        /** Asynchronous requests of a file. */
        REQUESTS("request", 256, false),
        /** The number of asynchronous requests in flight. */
        IN_FLIGHT("request", 0, false),
        /** What happens to the pages of a cache. */
        CACHE("page", 0, false),
        /** Reads and writes of pages by a cache. */
        PAGE_REQUESTS("page", 256, false),
        /** What is missing in the recording. */
        NOTES("mio", 16, false);

        private final String category;
        private final int rows;
        private final boolean nests;

        Kind(String category, int rows, boolean nests) {
            this.category = category;
            this.rows = rows;
            this.nests = nests;
        }

        /** Returns the word by which viewers tell events apart. */
        String category() {
            return category;
        }

        /** Returns the most rows of slices; 0 if the track has none. */
        int rows() {
            return rows;
        }

        /** Returns whether slices lie in one another. */
        boolean nests() {
            return nests;
        }
    }
}
