/**
 * The cache: holds pages of a file in frames of memory, reads them ahead and writes them behind.
 * This package knows no layer above it, and of the layer below only what every layer can do. Read
 * {@link io.mio.pf.CachedFile} first.
 */
package io.mio.pf;
