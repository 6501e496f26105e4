package io.mio.cli.term;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NoNameTest {
    @Test
    void shouldTellOfTheLocaleWhereItMayBeTheReason() {
        assertThat(NoName.words("a\0b")).isEqualTo("'a\0b' is no name of a file");
        assertThat(NoName.words("gr\u00f6\u00dfe"))
                .isEqualTo(
                        "'gr\u00f6\u00dfe' is no name of a file in this locale; take one with"
                                + " UTF-8, for example LC_ALL=C.UTF-8");
    }
}
