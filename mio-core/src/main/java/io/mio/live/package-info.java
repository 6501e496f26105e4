/**
 * The counters of programs that run under MIO, or were killed, read from outside
 * (docs/format/live.md). Read {@link io.mio.live.LiveReader} first.
 */
package io.mio.live;
