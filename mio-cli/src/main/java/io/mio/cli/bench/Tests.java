package io.mio.cli.bench;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Names and numbers of tests, as users give them. */
public final class Tests {
    private Tests() {}

    /**
     * Reads names and IOzone's numbers with commas between them.
     *
     * @param given one entry for each option
     * @return the tests in the order in which they run; all of IOzone's if nothing is given
     * @throws IllegalArgumentException if there is no such test; the message lists what there is
     */
    public static List<BenchTest> list(List<String> given) {
        Set<BenchTest> tests = EnumSet.noneOf(BenchTest.class);
        for (String option : given) {
            for (String name : option.split(",", -1)) {
                add(tests, name);
            }
        }
        if (given.isEmpty()) {
            tests.addAll(List.of(BenchTest.values()));
            tests.removeIf(test -> test.number() < 0);
        }
        if (tests.contains(BenchTest.REREAD)) {
            // A reread is the second of two reads.
            tests.add(BenchTest.READ);
        }
        return List.copyOf(tests);
    }

    private static void add(Set<BenchTest> tests, String name) {
        List<BenchTest> found = new ArrayList<>();
        for (BenchTest test : BenchTest.values()) {
            boolean numbered = test.number() >= 0 && Integer.toString(test.number()).equals(name);
            if (test.id().equals(name) || numbered) {
                found.add(test);
            }
        }
        if (!found.isEmpty()) {
            tests.addAll(found);
            return;
        }
        switch (name) {
            case "6", "7" ->
                    throw new IllegalArgumentException(
                            "-i " + name + ": there is no test of stdio; take 0 or 1");
            case "9", "10", "11", "12" ->
                    throw new IllegalArgumentException(
                            "-i " + name + ": all tests are by pread and pwrite; take 0 or 1");
            default ->
                    throw new IllegalArgumentException(
                            "-i " + name + ": there is no such test; there are " + names());
        }
    }

    private static String names() {
        StringBuilder names = new StringBuilder();
        for (BenchTest test : BenchTest.values()) {
            names.append(names.length() == 0 ? "" : ", ").append(test.id());
            if (test.number() >= 0) {
                names.append(" (").append(test.number()).append(')');
            }
        }
        return names.toString();
    }
}
