package io.mio.cli.bench;

/**
 * One row of the table: a size of the file and of the records in it.
 *
 * @param fileBytes of each file, a whole number of records
 */
record Point(long fileBytes, int recordBytes) {
    long fileRecords() {
        return fileBytes / recordBytes;
    }

    /** For progress and messages. */
    String label() {
        return Sizes.text(recordBytes) + " of " + Sizes.text(fileBytes);
    }
}
