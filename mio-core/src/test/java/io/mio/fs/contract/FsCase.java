package io.mio.fs.contract;

import java.nio.file.Path;

/**
 * Operations to be run alike on two file systems.
 *
 * @param name what should hold, as a sentence
 * @param body the operations
 */
public record FsCase(String name, Body body) {
    /**
     * Works in {@code directory}, which is empty; {@code other} is a path of a foreign provider.
     */
    public interface Body {
        void run(Path directory, Path other, Script script) throws Exception;
    }
}
