package io.mio.layer;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.OpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenFlagsTest {
    private static String names(OpenOption... options) {
        return OpenFlags.names(OpenFlags.of(List.of(options)));
    }

    /** The open of the original's workload, with Linux's numbers (reference 4.2). */
    @Test
    void shouldNumberFlagsAsLinuxDoes() {
        int oflags = OpenFlags.of(List.of(READ, WRITE, CREATE, TRUNCATE_EXISTING));
        assertThat(oflags).isEqualTo(0x242);
        assertThat(OpenFlags.names(oflags)).isEqualTo("RDWR  CREAT  TRUNC");
    }

    @Test
    void shouldNameTheAccess() {
        assertThat(names()).isEqualTo("RDONLY");
        assertThat(names(READ)).isEqualTo("RDONLY");
        assertThat(names(WRITE)).isEqualTo("WRONLY");
        assertThat(names(APPEND)).isEqualTo("WRONLY  APPEND");
        assertThat(names(WRITE, APPEND)).isEqualTo("WRONLY  APPEND");
    }

    @Test
    void shouldLeaveOutWhatCountsOnlyForWriters() {
        assertThat(names(READ, CREATE, TRUNCATE_EXISTING)).isEqualTo("RDONLY");
        assertThat(names(READ, CREATE_NEW)).isEqualTo("RDONLY");
    }

    @Test
    void shouldNameEveryFlag() {
        assertThat(names(WRITE, CREATE_NEW)).isEqualTo("WRONLY  CREAT  EXCL");
        assertThat(names(WRITE, SYNC)).isEqualTo("WRONLY  SYNC");
        assertThat(names(WRITE, DSYNC)).isEqualTo("WRONLY  DSYNC");
        assertThat(names(DELETE_ON_CLOSE)).isEqualTo("RDONLY  NOFOLLOW");
        assertThat(OpenFlags.names(OpenFlags.RDWR | OpenFlags.DIRECT)).isEqualTo("RDWR  DIRECT");
    }

    @Test
    void shouldTellReadersFromWriters() {
        assertThat(OpenFlags.reads(OpenFlags.RDONLY)).isTrue();
        assertThat(OpenFlags.writes(OpenFlags.RDONLY)).isFalse();
        assertThat(OpenFlags.reads(OpenFlags.WRONLY)).isFalse();
        assertThat(OpenFlags.writes(OpenFlags.WRONLY)).isTrue();
        assertThat(OpenFlags.reads(OpenFlags.RDWR)).isTrue();
        assertThat(OpenFlags.writes(OpenFlags.RDWR)).isTrue();
    }
}
