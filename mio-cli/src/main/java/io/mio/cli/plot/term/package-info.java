/** A quick look at runs in the terminal, in letters or, where there are colours, in dots. */
package io.mio.cli.plot.term;
