/**
 * Events for the Java Flight Recorder: opens, closes with totals, slow calls, page requests. Read
 * {@link io.mio.jfr.Flight} first, which is all that other packages see. The classes that need the
 * module jdk.jfr are loaded when somebody has started the recorder.
 */
package io.mio.jfr;
