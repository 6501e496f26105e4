/**
 * Pictures of runs: panels on one time axis are laid out as a scene of a few simple shapes, which
 * is written as SVG or rasterised to PNG. Needs no fonts and no {@code java.desktop}.
 */
package io.mio.cli.plot.draw;
