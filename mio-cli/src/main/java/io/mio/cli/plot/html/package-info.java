/**
 * The interactive page: runs as compact columns, the scripts that draw them, and the charting
 * library, in one HTML file that needs no network. Begin with {@link
 * io.mio.cli.plot.html.PlotPage}; the scripts are resources of the same name.
 */
package io.mio.cli.plot.html;
