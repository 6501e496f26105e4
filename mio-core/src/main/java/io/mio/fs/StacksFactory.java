package io.mio.fs;

import io.mio.stack.Stacks;
import java.util.Map;

/** Where a new file system gets its rules from. Runs during the JVM's boot for the default one. */
interface StacksFactory {
    /**
     * The rules for one file system.
     *
     * @param options the map given to {@code newFileSystem}; empty for the configuration of the
     *     process alone
     * @return null if MIO is switched off ({@code mio.enabled=false})
     * @throws IllegalArgumentException if the configuration is wrong; says where and what to do
     */
    Stacks load(Map<String, ?> options);
}
