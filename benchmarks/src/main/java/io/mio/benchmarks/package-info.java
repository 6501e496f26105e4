/** Benchmarks, one class for each question; the comment of a class has its command line. */
package io.mio.benchmarks;
