/**
 * {@code mio check}: what a name gets of a configuration, and what is legal but probably not meant.
 * Read {@link io.mio.cli.check.Explanation} and {@link io.mio.cli.check.Warnings} first. Nothing
 * here changes anything on the machine.
 */
package io.mio.cli.check;
