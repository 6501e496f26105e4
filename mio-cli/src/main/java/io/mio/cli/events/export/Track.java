package io.mio.cli.events.export;

/**
 * A line of the picture.
 *
 * @param id unique in the document, from 1
 * @param kind what is drawn on it
 * @param parent the one it belongs to, null for a process
 * @param process its number
 * @param thread its number, of threads alone
 * @param row 0, or more where slices would overlap
 * @param name harmless
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
        /** How many of them there are. */
        IN_FLIGHT("request", 0, false),
        /** What happens to the pages of a cache. */
        CACHE("page", 0, false),
        /** Its reads and writes of pages. */
        PAGE_REQUESTS("page", 256, false),
        /** What is missing. */
        NOTES("mio", 16, false);

        private final String category;
        private final int rows;
        private final boolean nests;

        Kind(String category, int rows, boolean nests) {
            this.category = category;
            this.rows = rows;
            this.nests = nests;
        }

        /** Word by which viewers tell events apart. */
        String category() {
            return category;
        }

        /** Most rows of slices; 0: it has none. */
        int rows() {
            return rows;
        }

        /** Slices lie in one another. */
        boolean nests() {
            return nests;
        }
    }
}
