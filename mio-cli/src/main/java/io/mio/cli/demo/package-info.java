/**
 * {@code mio demo}: runs a program that knows nothing of MIO, in a JVM with MIO below it, twice and
 * with the page cache out of the way, and puts both runs' figures side by side. Read {@link
 * io.mio.cli.demo.DemoRun} first, then {@link io.mio.cli.demo.PageCache}.
 */
package io.mio.cli.demo;
