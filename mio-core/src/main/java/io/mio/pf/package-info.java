/**
 * The cache: pages of a file in frames of memory, read ahead and written behind. Knows of no layer
 * above it and of the one below only what every layer can do. Read {@link io.mio.pf.CachedFile}
 * first.
 */
package io.mio.pf;
