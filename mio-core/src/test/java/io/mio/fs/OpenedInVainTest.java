package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.stack.StackBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What MIO opened of a file in vain: to close it drops the program's locks. */
class OpenedInVainTest {
    @TempDir Path dir;

    private interface Open {
        Closeable open() throws IOException;
    }

    @Test
    void shouldBeClosedBehindTheProgramsChannel() throws Exception {
        Path file = Files.write(dir.resolve("file"), new byte[100]);
        FakePages pages = new FakePages();
        pages.serves = false;
        FileOpener opener =
                new FileOpener(
                        StackBuilder.load(Map.of("files", "* [ pf ]"), FileSystems.getDefault()),
                        pages);
        List<Open> kinds =
                List.of(
                        () -> opener.newFileChannel(file, Set.of(READ, WRITE)),
                        () -> opener.newByteChannel(file, Set.of(READ)),
                        () -> opener.newInputStream(file),
                        () -> opener.newOutputStream(file, APPEND),
                        () -> opener.newOutputStream(file),
                        () -> opener.newAsynchronousFileChannel(file, Set.of(READ), null));
        int opens = 0;
        for (Open kind : kinds) {
            Closeable opened = kind.open();
            assertThat(pages.vain).hasSize(opens);
            opened.close();
            opens++;
            assertThat(pages.vain).hasSize(opens).containsOnly(false);
        }
    }
}
