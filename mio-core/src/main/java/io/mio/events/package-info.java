/**
 * Events files: their format and their reader. Needs nothing but the file. Read {@link
 * io.mio.events.EventReader} first; {@code docs/format/events.md} describes the format.
 */
package io.mio.events;
