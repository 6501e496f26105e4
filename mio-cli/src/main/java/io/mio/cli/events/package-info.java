/**
 * {@code mio events}: reads events files (docs/format/events.md), chooses events, shows them and
 * writes them in other forms. Begin with {@link io.mio.cli.events.EventFilter}.
 */
package io.mio.cli.events;
