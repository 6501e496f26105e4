package io.mio.cli.bench;

import java.util.List;

/**
 * All of a benchmark, to be shown in one form or another.
 *
 * @param files names, as they were
 * @param points rows, in their order
 * @param skipped in words: sizes that do not fit together
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
