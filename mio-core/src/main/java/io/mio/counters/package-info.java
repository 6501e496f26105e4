/**
 * The places of counters: records of a file that the process has mapped, so that others see them
 * while the program runs (docs/format/live.md), or plain memory. Read {@link
 * io.mio.counters.CounterLayout} first.
 */
package io.mio.counters;
