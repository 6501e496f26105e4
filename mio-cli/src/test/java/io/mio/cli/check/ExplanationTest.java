package io.mio.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.check.Explanation.From;
import io.mio.config.LayerKind;
import io.mio.config.LayerOption;
import io.mio.config.MioConfig;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExplanationTest {
    @Test
    void shouldTellRulePatternAndWhoSetEachOption() {
        Explanation it =
                explain("*.x [ os ] *.y:*.dat [ trace/kbytes | pf/page=2m ] * [ os ]", "/a/b.dat");

        assertThat(it.rule()).isEqualTo(2);
        assertThat(it.pattern()).isEqualTo("*.dat");
        assertThat(it.passed()).containsExactly(new Explanation.Passed(1, "*.x"));
        assertThat(it.rulesLeft()).isEqualTo(1);
        assertThat(it.plain()).isFalse();
        assertThat(it.layers())
                .extracting(Explanation.Layer::layer)
                .containsExactly("mio", "trace", "pf", "os");
        Explanation.Layer pf = it.layers().get(2);
        assertThat(option(pf, "page_size").from()).isEqualTo(From.RULE);
        assertThat(option(pf, "page_size").value()).isEqualTo("page_size=2m");
        assertThat(option(pf, "page_size").column()).isEqualTo(42);
        assertThat(option(pf, "cache_size").from()).isEqualTo(From.DEFAULTS);
        assertThat(option(pf, "cache_size").value()).isEqualTo("cache_size=100m");
        assertThat(option(pf, "stride").from()).isEqualTo(From.BUILT_IN);
        assertThat(option(pf, "retain").on()).isFalse();
        assertThat(option(it.layers().get(1), "unit").value()).isEqualTo("kbytes");
    }

    @Test
    void shouldTellThatNoRuleMatches() {
        Explanation it = explain("*.x [ trace ] *.y [ trace ]", "/a");

        assertThat(it.rule()).isZero();
        assertThat(it.plain()).isTrue();
        assertThat(it.passed()).hasSize(2);
        assertThat(it.rulesLeft()).isZero();
        assertThat(it.layers()).isEmpty();
    }

    @Test
    void shouldTellThatARuleChangesNothing() {
        assertThat(explain("*.x [ os ] * [ trace ]", "a.x").plain()).isTrue();
        assertThat(explain("*.x [ mio/osync ]", "a.x").plain()).isFalse();
    }

    @Test
    void shouldTellWhatTheSameNameFromTheRootGetsIfThatDiffers() {
        Path here = Path.of("").toAbsolutePath();
        Explanation it = explain("d/*.x [ trace ] /** [ pf ]", "d/a.x");

        assertThat(it.rule()).isEqualTo(1);
        assertThat(it.absolute()).isEqualTo(here + "/d/a.x");
        assertThat(it.absoluteRule()).isEqualTo(2);
        assertThat(explain("*.x [ trace ]", "d/a.x").absolute()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LayerKind.class)
    void shouldHaveWordsForEveryLayerAndOption(LayerKind kind) {
        assertThat(Explanation.meaning(kind)).isNotBlank();
        for (LayerOption option : kind.options()) {
            assertThat(option.description()).as("%s", option).matches("[A-Z].{15,}\\.");
        }
    }

    private static Explanation.Setting option(Explanation.Layer layer, String name) {
        return layer.options().stream()
                .filter(option -> option.option().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Explanation explain(String files, String path) {
        Map<String, String> options = Map.of("files", files, "defaults", "pf/cache=100m");
        return Explanation.of(MioConfig.of(options), path);
    }
}
