package io.mio.fs;

import java.nio.file.Path;
import java.nio.file.PathMatcher;

/** The platform's matcher. It compares text, and gets paths of other providers as they are. */
final class MioPathMatcher implements PathMatcher {
    private final PathMatcher inner;

    MioPathMatcher(PathMatcher inner) {
        this.inner = inner;
    }

    @Override
    public boolean matches(Path path) {
        return inner.matches(path instanceof MioPath own ? own.inner() : path);
    }
}
