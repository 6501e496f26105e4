/**
 * The interface every layer implements, and what travels through it. Depends on nothing above it.
 * Read {@link io.mio.layer.Layer} first.
 */
package io.mio.layer;
