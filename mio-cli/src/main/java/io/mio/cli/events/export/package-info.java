/**
 * Events in the forms of other programs. {@link io.mio.cli.events.export.EventExport} is what a
 * command uses; {@code Timeline} lays events out on tracks for the two forms that are pictures.
 */
package io.mio.cli.events.export;
