package io.mio.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/** Finds the names of errors. */
class ErrorNameTest {
    @Test
    void shouldNameWhatTheSystemSays() {
        String name = null;
        try (FileOutputStream full = new FileOutputStream("/dev/full")) {
            full.write(1);
        } catch (IOException e) {
            name = ErrorName.of(e);
        }

        assertThat(name).isEqualTo("ENOSPC");
        assertThat(ErrorName.number(name)).isEqualTo(28);
    }

    @Test
    void shouldTellTheProgramsLimitFromTheMachines() {
        assertThat(ErrorName.of(new IOException("Too many open files"))).isEqualTo("EMFILE");
        assertThat(ErrorName.number("EMFILE")).isEqualTo(24);
        assertThat(ErrorName.of(new IOException("Too many open files in system")))
                .isEqualTo("ENFILE");
        assertThat(ErrorName.number("ENFILE")).isEqualTo(23);
    }

    @Test
    void shouldNotTakeTheNameOfAFileForItsError() {
        String odd = "No space left on device";

        assertThat(ErrorName.of(new FileSystemException(odd, null, "Permission denied")))
                .isEqualTo("EACCES");
        assertThat(ErrorName.of(new NoSuchFileException(odd))).isEqualTo("NoSuchFileException");
    }

    @Test
    void shouldNameOtherErrorsByTheirException() {
        assertThat(ErrorName.of(new ClosedChannelException())).isEqualTo("ClosedChannelException");
        assertThat(ErrorName.of(new IOException("no words"))).isEqualTo("IOException");
        assertThat(ErrorName.number("IOException")).isZero();
    }
}
