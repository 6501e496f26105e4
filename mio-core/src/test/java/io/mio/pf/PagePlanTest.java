package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import io.mio.stats.PfSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/plan}, which the C side reads as well. */
class PagePlanTest {
    private final Map<String, Integer> values = new HashMap<>();
    private final PlannedReads reads = new PlannedReads();
    private PagePlan plan;

    static Stream<Named<GoldenCase>> plans() {
        return GoldenCase.readTwin("plan/plan.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void shouldFollowThePlanOfTheGoldenCase(GoldenCase golden) {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        String line = "";
        for (GoldenCase.Line each : golden.lines()) {
            if (each.key().equals("found")) {
                expected.add(line + ": " + each.value());
                continue;
            }
            line = each.value();
            switch (each.key()) {
                case "plan" -> parse(line);
                case "read" -> {
                    String[] part = line.split(" ");
                    reads.add(
                            Integer.parseInt(part[0]),
                            Long.parseLong(part[1]),
                            Long.parseLong(part[2]));
                }
                case "reads" -> {
                    for (int page : pages(line)) {
                        reads.add(0, (long) page * page(), page());
                    }
                }
                case "request" -> found.add(line + ": " + request(line.split(" ")));
                case "counts" -> found.add(line + ": " + counts(plan().counted()));
                case "requests" -> found.add(line + ": " + requests(pages(line)));
                default -> throw new IllegalStateException(each.key());
            }
        }
        assertThat(expected).as("the case has requests").isNotEmpty();
        assertThat(found).as(golden.title()).isEqualTo(expected);
    }

    private void parse(String text) {
        for (String part : text.split(" ")) {
            int equals = part.indexOf('=');
            values.put(part.substring(0, equals), Integer.parseInt(part.substring(equals + 1)));
        }
    }

    private int page() {
        return values.get("page");
    }

    private PagePlan plan() {
        if (plan == null) {
            plan = new PagePlan(reads, page());
        }
        return plan;
    }

    private String request(String[] request) {
        long offset = Long.parseLong(request[0]);
        if (!plan().follow(offset, Long.parseLong(request[1]))) {
            return "detection";
        }
        boolean soon = plan.isSoon(offset / page(), values.get("soon"));
        StringBuilder found = new StringBuilder(soon ? "plan soon" : "plan late");
        for (int place = ahead(); place != PagePlan.NONE; place = ahead()) {
            long start = plan.page(place) * page();
            long from = plan.from(place) - start;
            long to = plan.to(place) - start;
            found.append(' ').append(plan.page(place));
            if (to - from < page()) {
                found.append(':').append(from).append('-').append(to);
            }
            plan.taken();
        }
        return found.toString();
    }

    private static String counts(PfSnapshot.Plan plan) {
        return "%s, %d of %d by the plan, place %d of %d, left %d, %d of %d not near"
                .formatted(
                        plan.state(),
                        plan.followed(),
                        plan.requests(),
                        plan.place(),
                        plan.pages(),
                        plan.left(),
                        plan.stray(),
                        plan.strayOf());
    }

    private int ahead() {
        return plan.ahead(values.get("ahead"));
    }

    private String requests(int[] pages) {
        Set<Long> ahead = new HashSet<>();
        int by = 0;
        int taken = 0;
        int used = 0;
        for (long page : pages) {
            used += ahead.remove(page) ? 1 : 0;
            if (plan().follow(page * page(), page())) {
                by++;
                for (int place = ahead(); place != PagePlan.NONE; place = ahead()) {
                    ahead.add(plan.page(place));
                    plan.taken();
                    taken++;
                }
            }
        }
        return "plan " + by + ", ahead " + taken + ", of use " + used;
    }

    /** Pages in the order that a seed gives; see the README of the cases. */
    private int[] pages(String text) {
        parse("skip=0 swap=1 " + text);
        int[] pages = new int[values.get("pages")];
        long seed = values.get("seed");
        for (int i = 0; i < pages.length; i++) {
            pages[i] = i;
        }
        for (int i = pages.length - 1; i > 0; i--) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            int j = (int) ((seed >>> 33) % (i + 1));
            int other = pages[i];
            pages[i] = pages[j];
            pages[j] = other;
        }
        int skip = values.get("skip");
        int swap = values.get("swap");
        int[] order = new int[pages.length - skip];
        for (int i = 0; i < order.length; i++) {
            int turn = i / swap * swap;
            int last = Math.min(turn + swap, order.length) - 1;
            order[i] = pages[skip + turn + last - i];
        }
        return order;
    }
}
