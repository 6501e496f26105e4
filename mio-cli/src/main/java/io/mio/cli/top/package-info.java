/**
 * What {@code mio top} shows: readings of live counter files ({@link io.mio.live.LiveReader})
 * become a {@link io.mio.cli.top.Tick} by a {@link io.mio.cli.top.Ledger}, which knows the reading
 * before; {@link io.mio.cli.top.TopScreen} turns it into lines. Only {@link
 * io.mio.cli.top.LiveTerminal} touches the terminal.
 */
package io.mio.cli.top;
