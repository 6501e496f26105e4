package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Expected texts; {@code -Dmio.golden.update=true} writes them anew. */
public final class Goldens {
    private static final Path RESOURCES = Path.of("src/test/resources/io/mio/cli/plot");

    private Goldens() {}

    /** Checks that the text equals that of the file. */
    public static void assertSame(String name, String text) throws IOException {
        Path golden = RESOURCES.resolve(name);
        if (Boolean.getBoolean("mio.golden.update")) {
            Files.createDirectories(golden.getParent());
            Files.writeString(golden, text);
        }
        assertThat(text).as(name).isEqualTo(Files.readString(golden));
    }
}
