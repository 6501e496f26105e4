/**
 * What {@code mio demo} does: a program that knows nothing of MIO, a JVM that runs it with trace
 * switched on, and the figures in plain words. Read {@link io.mio.cli.demo.DemoRun} first.
 */
package io.mio.cli.demo;
