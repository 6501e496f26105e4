/**
 * Events in forms that other programs read. Begin with {@link
 * io.mio.cli.events.export.EventExport}.
 */
package io.mio.cli.events.export;
