/**
 * {@code mio bench}: workers, each in a process of its own with MIO below it or not, read and write
 * records of a file; the runs of all configurations take turns, and their figures are put side by
 * side. Read {@link io.mio.cli.bench.BenchRun} first, then {@link io.mio.cli.bench.BenchWorker}.
 */
package io.mio.cli.bench;
