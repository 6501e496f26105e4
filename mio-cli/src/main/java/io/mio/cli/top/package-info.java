/**
 * {@code mio top}: a {@link io.mio.cli.top.Ledger}, which keeps the last reading, turns readings of
 * live counter files ({@link io.mio.live.LiveReader}) into a {@link io.mio.cli.top.Tick}; {@link
 * io.mio.cli.top.TopScreen} turns that into lines. Only {@link io.mio.cli.top.LiveTerminal} touches
 * the terminal.
 */
package io.mio.cli.top;
