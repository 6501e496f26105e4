/** The layer that counts, and its counters. Read {@link io.mio.trace.TraceLayer} first. */
package io.mio.trace;
