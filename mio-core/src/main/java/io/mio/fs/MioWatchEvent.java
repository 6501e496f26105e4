package io.mio.fs;

import java.nio.file.Path;
import java.nio.file.WatchEvent;

/**
 * What happened to a file of a watched directory.
 *
 * @param count how often, 1 or more
 * @param context the file's name in the directory
 */
record MioWatchEvent(WatchEvent.Kind<Path> kind, int count, Path context)
        implements WatchEvent<Path> {}
