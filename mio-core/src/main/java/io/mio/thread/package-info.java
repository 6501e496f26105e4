/** Threads. Everything else may use it; it uses nothing of MIO. */
package io.mio.thread;
