package io.mio.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.stats.ByteUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a layer takes from its options. */
class LayerSpecTest {

    @Test
    void shouldGiveTraceItsOptions() {
        LayerSpec trace = layer("trace/stats=x.stats/events/mbytes");

        assertThat(trace.kind()).isEqualTo(LayerKind.TRACE);
        assertThat(trace.isOn(TraceOption.STATS)).isTrue();
        assertThat(trace.text(TraceOption.STATS)).isEqualTo("x.stats");
        assertThat(trace.isOn(TraceOption.EVENTS)).isTrue();
        assertThat(trace.text(TraceOption.EVENTS)).isEqualTo("trace.events");
        assertThat(ByteUnit.of(trace.text(TraceOption.UNIT))).isEqualTo(ByteUnit.MBYTES);
        assertThat(trace.isOn(TraceOption.INTER)).isFalse();
        assertThat(trace.isTyped(TraceOption.INTER)).isFalse();
        assertThat(trace.isSet(TraceOption.INTER)).isTrue();
    }

    @Test
    void shouldReportUnlessSwitchedOff() {
        assertThat(layer("trace").isOn(TraceOption.STATS)).isTrue();
        assertThat(layer("trace").text(TraceOption.STATS)).isEqualTo("mioout");
        assertThat(layer("trace/nostats").isOn(TraceOption.STATS)).isFalse();
        assertThat(layer("pf").isOn(PfOption.STATS)).isTrue();
        assertThat(layer("recov").isOn(RecovOption.STATS)).isTrue();
    }

    @Test
    void shouldTellLeftAloneFromOff() {
        LayerSpec alone = layer("mio");
        assertThat(alone.isSet(MioOption.OSYNC)).isFalse();
        assertThat(alone.isOn(MioOption.OSYNC)).isFalse();
        assertThat(alone.isSet(MioOption.MODE)).isFalse();
        assertThat(alone.number(MioOption.MODE)).isEqualTo(-1);
        LayerSpec off = layer("mio/noosync/nomode");
        assertThat(off.isSet(MioOption.OSYNC)).isTrue();
        assertThat(off.isOn(MioOption.OSYNC)).isFalse();
        assertThat(off.isOn(MioOption.MODE)).isFalse();
        LayerSpec on = layer("mio/osync/mode=0640");
        assertThat(on.isOn(MioOption.OSYNC)).isTrue();
        assertThat(on.isOn(MioOption.MODE)).isTrue();
        assertThat(on.number(MioOption.MODE)).isEqualTo(0640);
    }

    @Test
    void shouldGiveNumbersInTheUnitOfTheOption() {
        LayerSpec pf = layer("pf/cache=100m/page=0x200k/pref=2:16/passthru={4k:1m}");

        assertThat(pf.number(PfOption.CACHE_SIZE)).isEqualTo(100L << 20);
        assertThat(pf.number(PfOption.PAGE_SIZE)).isEqualTo(0x200L << 10);
        assertThat(pf.number(PfOption.PREFETCH)).isEqualTo(2);
        assertThat(pf.secondNumber(PfOption.PREFETCH)).isEqualTo(16);
        assertThat(pf.number(PfOption.PASSTHRU)).isEqualTo(4096);
        assertThat(pf.secondNumber(PfOption.PASSTHRU)).isEqualTo(1048576);
        LayerSpec fixed = layer("pf/pref=4");
        assertThat(fixed.number(PfOption.PREFETCH)).isEqualTo(4);
        assertThat(fixed.secondNumber(PfOption.PREFETCH)).isEqualTo(4);
        LayerSpec auto = layer("pf");
        assertThat(auto.text(PfOption.PREFETCH)).isEqualTo("auto");
        assertThat(auto.number(PfOption.PREFETCH)).isZero();
    }

    @Test
    void shouldPutTheFrontAndTheFileIntoEveryStack() {
        StackSpec stack = StackSpec.parse("a test", " trace | posix/debug ");

        assertThat(stack.text()).isEqualTo("trace|posix/debug");
        assertThat(stack.layers())
                .extracting(LayerSpec::typedName)
                .containsExactly("mio", "trace", "posix");
        assertThat(stack.layers().get(2).isOn(OsOption.DEBUG)).isTrue();
        assertThatThrownBy(() -> StackSpec.parse("a test", "trace ] "))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("a test, column 7: expected");
    }

    @Test
    void shouldRefuseOptionsOfOtherLayers() {
        assertThatThrownBy(() -> layer("trace").isOn(OsOption.DEBUG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("trace has no option debug");
    }

    @Test
    void shouldHaveTablesWithoutContradictions() {
        for (LayerKind kind : LayerKind.values()) {
            Set<String> words = new HashSet<>();
            for (LayerOption option : kind.options()) {
                for (String word : option.words()) {
                    assertThat(words.add(word)).as("%s/%s is there once", kind, word).isTrue();
                }
                assertThat(option.description()).as("%s/%s", kind, option).endsWith(".");
                assertThat(option.min()).isLessThanOrEqualTo(option.max());
            }
        }
    }

    @Test
    void shouldLeaveEveryAbbreviationToTheOriginal() {
        for (LayerKind kind : LayerKind.values()) {
            for (LayerOption extension : kind.options()) {
                for (LayerOption original : kind.options()) {
                    if (!extension.isExtension() || original.isExtension()) {
                        continue;
                    }
                    for (String word : original.words()) {
                        assertThat(extension.words())
                                .as("extensions that could be short for %s/%s", kind, word)
                                .noneMatch(word::startsWith);
                    }
                }
            }
        }
    }

    @Test
    void shouldTellWhereAnOptionWasSet() {
        MioConfig config =
                MioConfig.load(
                        Map.of("files", "* [ pf/page=2m/direct ]", "defaults", "pf/cache=100m"),
                        Map.of());
        LayerSpec pf = config.match("a").layers().get(1);

        assertThat(pf.origin(PfOption.PAGE_SIZE)).isEqualTo("option files");
        assertThat(pf.column(PfOption.PAGE_SIZE)).isEqualTo(8);
        assertThat(pf.origin(PfOption.CACHE_SIZE)).isEqualTo("option defaults");
        assertThat(pf.column(PfOption.CACHE_SIZE)).isEqualTo(4);
        assertThat(pf.origin(PfOption.STRIDE)).isEmpty();
        assertThat(pf.column(PfOption.STRIDE)).isZero();
    }

    @Test
    void shouldEchoOneOptionAsItIsTyped() {
        LayerSpec pf = layer("pf/cache=100m/global=3/synchronous/replace=lru");

        assertThat(pf.echo(PfOption.CACHE_SIZE)).isEqualTo("cache_size=100m");
        assertThat(pf.echo(PfOption.GLOBAL)).isEqualTo("global=3");
        assertThat(pf.echo(PfOption.ASYNCHRONOUS)).isEqualTo("synchronous");
        assertThat(pf.echo(PfOption.REPLACE)).isEqualTo("replace=lru");
        assertThat(layer("mio").echo(MioOption.OSYNC)).isEmpty();
    }

    private static LayerSpec layer(String text) {
        StackSpec stack = StackSpec.parse("a test", text);
        String name = text.contains("/") ? text.substring(0, text.indexOf('/')) : text;
        for (LayerSpec layer : stack.layers()) {
            if (layer.typedName().equals(name)) {
                return layer;
            }
        }
        throw new AssertionError("no layer " + name);
    }
}
