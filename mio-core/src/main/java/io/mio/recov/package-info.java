/**
 * The layer that tries failed calls again, after running a command that may help (design section
 * 4). Read {@link io.mio.recov.RecovLayer} first.
 */
package io.mio.recov;
