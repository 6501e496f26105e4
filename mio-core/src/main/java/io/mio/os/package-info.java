/**
 * The last layer: the platform's own channels and streams, seen as a {@link io.mio.layer.Layer}.
 * Knows of no layer above it. Read {@link io.mio.os.OsLayer} first.
 */
package io.mio.os;
