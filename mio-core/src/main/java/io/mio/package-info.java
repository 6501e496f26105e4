/**
 * Modular I/O: what a program may ask of MIO. A file is opened through a door ({@code fs}). The
 * configuration chooses its stack of layers, the last of which owns the real file. Layers count
 * what passes them. Read {@link io.mio.Mio} first.
 */
package io.mio;
