/**
 * The command line: one class per command, reports on stdout, everything else on stderr. Read
 * {@link io.mio.cli.Main} first.
 */
package io.mio.cli;
