package io.mio.cli.bench;

/**
 * One row of the table: a size of the file and of the records in it.
 *
 * @param sizeBytes size of each file, as it was asked for
 */
record Point(long sizeBytes, int recordBytes) {
    long fileRecords() {
        return sizeBytes / recordBytes;
    }

    /** Returns the bytes of the whole records. */
    long fileBytes() {
        return fileRecords() * recordBytes;
    }

    /** Returns a text for progress and messages. */
    String label() {
        return Sizes.text(recordBytes) + " of " + Sizes.text(sizeBytes);
    }
}
