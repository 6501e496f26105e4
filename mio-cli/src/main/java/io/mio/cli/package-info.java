/**
 * The command line, one class per command. Reports go to stdout, everything else to stderr. Read
 * {@link io.mio.cli.Main} first.
 */
package io.mio.cli;
