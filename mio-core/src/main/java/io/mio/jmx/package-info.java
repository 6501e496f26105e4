/**
 * The management bean {@code io.mio:type=Mio}. Read {@link io.mio.MioMXBean} first, then {@link
 * io.mio.jmx.BeanWatch}, which says when it is registered.
 */
package io.mio.jmx;
