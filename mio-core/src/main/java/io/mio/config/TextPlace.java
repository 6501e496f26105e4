package io.mio.config;

/**
 * A place in a text the user wrote.
 *
 * @param origin where the text came from, for example {@code MIO_FILES}
 * @param text the whole text
 * @param column 1-based, in characters
 */
record TextPlace(String origin, String text, int column) {
    ConfigException error(String problem) {
        return new ConfigException(origin, column, text, problem);
    }
}
