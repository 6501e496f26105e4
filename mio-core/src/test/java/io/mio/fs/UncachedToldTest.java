package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.os.FailingBackend;
import io.mio.stack.StackBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens that get no cache by their rule, as the door composes them, and failed write-behind of
 * other opens.
 */
@Tag("backends")
class UncachedToldTest {
    private static final int PAGE = 16 << 10;
    private static final String BROKEN = "Input/output error";

    @TempDir Path directory;
    private final FailingBackend.Faults faults = new FailingBackend.Faults();

    private static ByteBuffer line() {
        return ByteBuffer.wrap(new byte[] {'l', 'i', 'n', 'e'});
    }

    /** If {@code recov} took such an error for a failed write of its own, nobody would be told. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "trace",
                "pf/auto",
                "trace | recov/retry=3",
                "recov/retry=1 | trace | recov/retry=1"
            })
    void shouldTellAnOpenWithoutACacheWhateverItsRule(String rule) throws IOException {
        Path file = Files.write(directory.resolve("data"), new byte[4 * PAGE]);
        Path plain = Files.createLink(directory.resolve("log"), file);
        String rules = "log [ " + rule + " ] * [ pf/cache=64k/page=16k ]";
        FileOpener opener =
                new FileOpener(
                        StackBuilder.load(Map.of("files", rules), FileSystems.getDefault()),
                        new FailingPages(faults));
        try (FileChannel writer = opener.newFileChannel(file, Set.of(READ, WRITE));
                FileChannel appends = opener.newFileChannel(plain, Set.of(WRITE, APPEND))) {
            FileChannel closes = opener.newFileChannel(plain, Set.of(READ, WRITE));
            writer.write(line(), PAGE);
            faults.writes = BROKEN;
            assertThatThrownBy(() -> writer.force(false)).hasMessageContaining(BROKEN);
            faults.writes = null;

            assertThatThrownBy(() -> appends.write(line())).hasMessageContaining(BROKEN);
            assertThat(appends.write(line())).isEqualTo(4);
            assertThatThrownBy(closes::close).hasMessageContaining(BROKEN);
        }
        assertThat(Files.size(file)).isEqualTo(4 * PAGE + 4);
    }
}
