/**
 * What is drawn of a run: the events file reduced to marks at several levels of detail, in bounded
 * memory. How it is drawn, on a page, in a picture or in a terminal, is not known here.
 */
package io.mio.cli.plot;
