package io.mio.fs;

import io.mio.stack.Stacks;
import java.util.Map;

/** Loads the rules of a new file system. Runs during the JVM's boot for the default file system. */
interface StacksFactory {
    /**
     * Returns the rules for one file system.
     *
     * @param options the map given to {@code newFileSystem}; empty for the configuration of the
     *     process alone
     * @return null if MIO is switched off ({@code mio.enabled=false})
     * @throws IllegalArgumentException if the configuration is wrong; says where and what to do
     */
    Stacks load(Map<String, ?> options);
}
