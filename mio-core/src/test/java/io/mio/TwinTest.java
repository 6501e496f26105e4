package io.mio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.ConfigKey;
import io.mio.config.DebugKeyword;
import io.mio.config.LayerKind;
import io.mio.config.LayerOption;
import io.mio.stats.ByteUnit;
import io.mio.stats.MioVersion;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Compares the tables that Java and C both hold, row by row and in order. Rows that only one side
 * has are listed here, each with its reason.
 */
class TwinTest {
    private static final String OPTIONS = "twin_tables";
    private static final String COUNTERS = "twin_stats";

    /** Rows of Java's tables that C does not have, each with the reason. */
    private static final Map<String, String> ONLY_JAVA = Map.of();

    /** Rows of C's tables that Java does not have, each with the reason. */
    private static final Map<String, String> ONLY_C = Map.of();

    @Test
    void shouldBeOfOneVersion() {
        compare(OPTIONS, "version", List.of(MioVersion.NUMBER));
    }

    @Test
    void shouldHaveTheSameLayers() {
        List<String> rows = new ArrayList<>();
        for (LayerKind kind : LayerKind.values()) {
            rows.add(row(kind.name(), kind.id()));
            assertThat(kind.isAvailable()).as("C knows no layer that is to come").isTrue();
        }
        compare(OPTIONS, "layer", rows);
    }

    @Test
    void shouldKnowTheSameNamesOfLayers() {
        List<String> rows = TwinProgram.rows(OPTIONS, "name of a layer");
        assertThat(rows).hasSizeGreaterThan(LayerKind.values().length);
        for (String row : rows) {
            String[] fields = row.split("\t");
            LayerKind kind = LayerKind.of(fields[0]);
            assertThat(kind).as(fields[0]).isNotNull();
            assertThat(kind.id()).as(fields[0]).isEqualTo(fields[1]);
        }
        // Messages list the names in this order.
        assertThat(rows.stream().map(row -> row.substring(0, row.indexOf('\t'))))
                .containsExactly("mio", "trace", "pf", "recov", "os", "aix", "posix");
    }

    @Test
    void shouldHaveTheSameOptions() {
        List<String> rows = new ArrayList<>();
        for (LayerKind kind : LayerKind.values()) {
            for (LayerOption option : kind.options()) {
                rows.add(
                        row(
                                kind.id(),
                                ((Enum<?>) option).name(),
                                option.id(),
                                option.kind().name().toLowerCase(Locale.ROOT),
                                option.unit(),
                                option.min(),
                                option.max(),
                                option.defaultEcho(),
                                option.isExtension() ? "extension" : "original",
                                option.availableSince(),
                                String.join(" ", option.words()),
                                option.description()));
            }
        }
        compare(OPTIONS, "option", rows);
    }

    @Test
    void shouldHaveTheSameDebugKeywords() {
        List<String> rows = new ArrayList<>();
        for (DebugKeyword keyword : DebugKeyword.values()) {
            rows.add(keyword.name());
        }
        compare(OPTIONS, "debug keyword", rows);
    }

    @Test
    void shouldHaveTheSameSettings() {
        List<String> rows = new ArrayList<>();
        for (ConfigKey key : ConfigKey.values()) {
            rows.add(row(key.id(), key.variable()));
        }
        compare(OPTIONS, "setting", rows);
    }

    @Test
    void shouldTraceTheSameOperations() {
        List<String> rows = new ArrayList<>();
        for (TraceOperation operation : TraceOperation.values()) {
            String shape =
                    operation.isAsynchronous()
                            ? "asynchronous"
                            : operation.isTransfer() ? "transfer" : "timed";
            rows.add(row(operation.name(), operation.label(), shape));
        }
        compare(COUNTERS, "trace operation", rows);
    }

    @Test
    void shouldKnowTheSamePatterns() {
        List<String> rows = new ArrayList<>();
        for (TraceSnapshot.Pattern pattern : TraceSnapshot.Pattern.values()) {
            rows.add(row(pattern.name(), pattern.name().toLowerCase(Locale.ROOT)));
        }
        compare(COUNTERS, "trace pattern", rows);
    }

    @Test
    void shouldCountTheSameOfACache() {
        compare(COUNTERS, "pf counter", numbers(PfSnapshot.class));
        compare(COUNTERS, "pf detail", numbers(PfSnapshot.Details.class));
        compare(COUNTERS, "pf plan", numbers(PfSnapshot.Plan.class));
        compare(COUNTERS, "pf transfers", numbers(PfSnapshot.Transfers.class));
    }

    @Test
    void shouldReportInTheSameUnits() {
        List<String> rows = new ArrayList<>();
        for (ByteUnit unit : ByteUnit.values()) {
            rows.add(row(unit.label(), unit.bytes()));
        }
        compare(COUNTERS, "unit", rows);
    }

    @Test
    void shouldReportOnTheSameEvents() {
        List<String> rows = new ArrayList<>();
        for (TraceSnapshot.Event event : TraceSnapshot.Event.values()) {
            rows.add(event.label());
        }
        compare(COUNTERS, "event", rows);
    }

    /** The names of a record's numbers, as C writes them: {@code prefetch_wait_ns}. */
    private static List<String> numbers(Class<? extends Record> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getType() == long.class) {
                String words = component.getName().replaceAll("([A-Z])", "_$1");
                names.add(words.toLowerCase(Locale.ROOT).replaceAll("_nanos$", "_ns"));
            }
        }
        return names;
    }

    private static String row(Object... fields) {
        List<String> texts = new ArrayList<>();
        for (Object field : fields) {
            texts.add(String.valueOf(field));
        }
        return String.join("\t", texts);
    }

    private static void compare(String program, String table, List<String> java) {
        List<String> c = TwinProgram.rows(program, table);
        assertThat(without(c, table, ONLY_C))
                .as("rows of the table \"%s\" in C, against those of Java", table)
                .isEqualTo(without(java, table, ONLY_JAVA));
    }

    /** The rows without those that are listed; each listed row must be there. */
    private static List<String> without(
            List<String> rows, String table, Map<String, String> listed) {
        List<String> rest = new ArrayList<>(rows);
        Map<String, String> reasons = new LinkedHashMap<>(listed);
        reasons.keySet().removeIf(row -> !row.startsWith(table + "\t"));
        for (String row : reasons.keySet()) {
            assertThat(rest.remove(row.substring(table.length() + 1)))
                    .as("listed as on one side only: %s", row)
                    .isTrue();
        }
        return rest;
    }
}
