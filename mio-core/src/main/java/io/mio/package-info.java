/**
 * Modular I/O: what a program may ask of MIO. A file is opened through a front door ({@code fs}),
 * the configuration chooses a stack, the stack is layers, the lowest layer owns the real file, and
 * everything counts. Read {@link io.mio.Mio} first.
 */
package io.mio;
