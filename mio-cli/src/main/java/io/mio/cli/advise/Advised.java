package io.mio.cli.advise;

import io.mio.cli.simulate.Device;
import java.util.List;

/**
 * The advice for one or more recordings of a program.
 *
 * @param events names of the events files
 * @param program whose run it was
 * @param recordedNanos the run as recorded, from the first call to the end of the last one
 * @param runNanos the same without the time that recording took
 * @param advisedNanos the run with all rules that are advised
 * @param memoryBytes memory of all caches of these rules
 * @param device that the requests go to
 * @param files first those to set a rule for, by what it gains; then the others, by their time
 * @param line ready value of {@code MIO_FILES}; empty: leave everything alone
 * @param notes what a reader has to know, a line each
 * @param damaged whether a part of a recording could not be read
 */
record Advised(
        List<String> events,
        String program,
        long recordedNanos,
        long runNanos,
        long advisedNanos,
        long memoryBytes,
        Device device,
        List<Advice> files,
        String line,
        List<String> notes,
        boolean damaged) {
    double speedup() {
        return advisedNanos <= 0 ? 1 : (double) runNanos / advisedNanos;
    }
}
