package io.mio.cli.bench;

import java.util.List;

/**
 * All of a benchmark, to be shown in one form or another.
 *
 * @param files the files' names at the time of the measurement
 * @param points the rows, in their order
 * @param skipped sizes that do not fit together, in words
 * @param proof how the state was proven, in words
 */
public record BenchReport(
        BenchOptions options,
        Machine machine,
        List<String> files,
        List<Point> points,
        List<String> skipped,
        String proof,
        Results results) {}
