/** Threads. All other packages may use this one; it uses nothing of MIO. */
package io.mio.thread;
