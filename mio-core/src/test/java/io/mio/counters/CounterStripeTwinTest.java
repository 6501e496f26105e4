package io.mio.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.TwinProgram;
import io.mio.TwinProgram.Case;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The same calls leave the same words in a stripe in Java and in C: both read what one writes. */
class CounterStripeTwinTest {
    private static final int CASES = 40;
    private static final int CALLS = 150;

    @Test
    void shouldLeaveTheSameWordsForTheSameCalls() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Case> cases = new ArrayList<>();
        List<List<String>> expected = new ArrayList<>();
        for (int i = 0; i < CASES; i++) {
            Case one = new Case();
            CounterStripe stripe = CounterStripe.make();
            for (int call = 0; call < CALLS; call++) {
                apply(random, stripe, one);
            }
            cases.add(one);
            expected.add(words(stripe));
        }

        List<List<String>> answers = TwinProgram.ask("twin_live", "stripes", cases);

        for (int i = 0; i < CASES; i++) {
            assertThat(answers.get(i)).as("seed %d case %d", seed, i).isEqualTo(expected.get(i));
        }
    }

    private static List<String> words(CounterStripe stripe) {
        List<String> words = new ArrayList<>();
        for (int i = CounterLayout.BODY / 8; i < CounterLayout.RECORD_BYTES / 8 - 1; i++) {
            words.add(Long.toString(stripe.words().get(i)));
        }
        return words;
    }

    private static void apply(Random random, CounterStripe stripe, Case one) {
        TraceOperation operation = TraceOperation.values()[random.nextInt(12)];
        long number = random.nextLong() >>> 1 + random.nextInt(63);
        Pattern pattern = Pattern.values()[random.nextInt(4)];
        long since = (random.nextLong() >>> 8 + random.nextInt(56)) - random.nextInt(3);
        String row = operation.ordinal() + " ";
        switch (random.nextInt(10)) {
            case 0 -> {
                stripe.call(operation, number);
                one.put("call", row + number);
            }
            case 1, 2 -> {
                stripe.requested(operation, number);
                one.put("requested", row + number);
            }
            case 3, 4 -> {
                stripe.delivered(operation, number, pattern, since);
                one.put("delivered", row + number + " " + pattern.ordinal() + " " + since);
            }
            case 5 -> {
                stripe.lasted(operation, number);
                one.put("lasted", row + number);
            }
            case 6 -> {
                stripe.suspended(operation, number);
                one.put("suspended", row + number);
            }
            case 7 -> {
                stripe.failed(operation);
                one.put("failed", row);
            }
            case 8 -> {
                stripe.sought(-number);
                one.put("sought", Long.toString(-number));
            }
            default -> {
                stripe.extended();
                stripe.illFormed();
                stripe.misaligned();
                one.put("extended", "").put("illFormed", "").put("misaligned", "");
            }
        }
    }
}
