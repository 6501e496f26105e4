/**
 * Events files: their format and their reader. Needs nothing but the file. Read {@link
 * io.mio.events.EventReader} first; the format is told in {@code docs/format/events.md}.
 */
package io.mio.events;
