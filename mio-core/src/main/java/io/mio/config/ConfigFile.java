package io.mio.config;

/**
 * A configuration file that was looked for.
 *
 * @param name of the file
 * @param present whether it is there
 * @param read whether its settings were taken; false for a file that nobody named and that may not
 *     be read
 */
public record ConfigFile(String name, boolean present, boolean read) {}
