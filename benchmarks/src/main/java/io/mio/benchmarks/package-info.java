/** Measurements, one class per question; the class comment has the command line. */
package io.mio.benchmarks;
