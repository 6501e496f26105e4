/**
 * Composes the layers of a file, bottom up, once, at open. Read {@link io.mio.stack.Stacks} first.
 */
package io.mio.stack;
