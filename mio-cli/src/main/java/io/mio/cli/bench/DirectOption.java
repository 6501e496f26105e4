package io.mio.cli.bench;

import java.io.IOException;
import java.nio.file.OpenOption;

/** The JDK's option for direct I/O, found by name, as the JDK may lack its module. */
public final class DirectOption {
    private DirectOption() {}

    /**
     * Returns the option.
     *
     * @throws IOException if this JVM has none
     */
    public static OpenOption find() throws IOException {
        try {
            Class<?> type = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            for (Object option : type.getEnumConstants()) {
                if ("DIRECT".equals(option.toString())) {
                    return (OpenOption) option;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("this JVM has no direct I/O: module jdk.unsupported", e);
        }
        throw new IOException("this JVM has no direct I/O");
    }
}
