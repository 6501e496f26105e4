/**
 * The interface that every layer implements, and what travels through it. Depends on no package
 * above it. Read {@link io.mio.layer.Layer} first.
 */
package io.mio.layer;
