package io.mio.cli.bench;

/**
 * One row of the table: a size of the file and of the records in it.
 *
 * @param sizeBytes of each file, as it was asked for
 */
record Point(long sizeBytes, int recordBytes) {
    long fileRecords() {
        return sizeBytes / recordBytes;
    }

    /** Whole records. */
    long fileBytes() {
        return fileRecords() * recordBytes;
    }

    /** For progress and messages. */
    String label() {
        return Sizes.text(recordBytes) + " of " + Sizes.text(sizeBytes);
    }
}
