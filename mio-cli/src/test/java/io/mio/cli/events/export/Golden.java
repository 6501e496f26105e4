package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Expected outputs; {@code -Dmio.golden.update=true} writes them anew. */
final class Golden {
    private static final Path DIRECTORY = Path.of("src/test/resources/io/mio/cli/events/export");

    private Golden() {}

    static void compare(String name, String text) throws IOException {
        Path golden = DIRECTORY.resolve(name);
        if (Boolean.getBoolean("mio.golden.update")) {
            Files.createDirectories(DIRECTORY);
            Files.writeString(golden, text);
        }
        assertThat(text).isEqualTo(Files.readString(golden));
    }
}
