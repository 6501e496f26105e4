package io.mio.recov;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which errors are tried again: the table of docs/Recov.md, in the words of the C library. */
class FailureTest {
    @ParameterizedTest
    @CsvSource({
        "No space left on device, ENOSPC, SPACE",
        "Disk quota exceeded, EDQUOT, SPACE",
        "Connection refused, ECONNREFUSED, REFUSED",
        "Host is down, EHOSTDOWN, REFUSED",
        "No route to host, EHOSTUNREACH, REFUSED",
        "Stale file handle, ESTALE, REFUSED",
        "Connection timed out, ETIMEDOUT, REFUSED",
        "Input/output error, EIO, TRANSFER",
        "Resource temporarily unavailable, EAGAIN, TRANSFER",
        "File too large, EFBIG, FINAL",
        "Permission denied, EACCES, FINAL"
    })
    void shouldKnowWhatMayHelp(String words, String name, Failure.Kind kind) {
        assertThat(Failure.of(new IOException(words))).isEqualTo(new Failure(name, kind));
        assertThat(Failure.of(new IllegalStateException(words)).kind())
                .isEqualTo(Failure.Kind.FINAL);
    }
}
