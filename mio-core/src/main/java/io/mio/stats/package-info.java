/**
 * Snapshots of all counters and the reports made of them. A report is a {@link
 * io.mio.stats.FileReport}; its text comes from the snapshot alone. Read {@link
 * io.mio.stats.TraceSnapshot} first.
 */
package io.mio.stats;
