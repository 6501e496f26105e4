/**
 * The last layer: the platform's own channels and streams, seen as a {@link io.mio.layer.Layer};
 * and, below a cache, descriptors of MIO's own ({@link io.mio.os.BackendFile}) and the backends
 * that work on them. Knows of no layer above it. Read {@link io.mio.os.OsLayer} first, then {@link
 * io.mio.os.Backends}.
 */
package io.mio.os;
