/**
 * What {@code mio check} finds out about a configuration: what a name gets, and what is legal but
 * probably not meant. Read {@link io.mio.cli.check.Explanation} and {@link
 * io.mio.cli.check.Warnings} first. Nothing here changes anything on the machine.
 */
package io.mio.cli.check;
