package io.mio.config;

import java.util.List;

/** Finds the valid word a mistyped one was meant to be. Used for messages only. */
public final class Nearest {
    private static final int SHORTEST = 3;

    private Nearest() {}

    /** {@code ; did you mean 'x'?} or "" if no candidate is close enough. */
    static String hint(String typed, List<String> candidates) {
        String best = word(typed, candidates);
        return best == null ? "" : "; did you mean '" + best + "'?";
    }

    /** The candidate that fits best, or null if none is close enough. */
    public static String word(String typed, List<String> candidates) {
        String best = null;
        int bestEdits = Math.max(1, (typed.length() + 1) / 3) + 1;
        for (String candidate : candidates) {
            int edits = edits(lower(typed), lower(candidate));
            if (typed.length() >= SHORTEST && typed.length() < candidate.length()) {
                // The mistyped word may have been meant as an abbreviation.
                String start = candidate.substring(0, typed.length());
                edits = Math.min(edits, edits(lower(typed), lower(start)));
            }
            if (edits < bestEdits) {
                best = candidate;
                bestEdits = edits;
            }
        }
        return best;
    }

    /** Letters to insert, drop, change or swap with their neighbour to turn one into the other. */
    private static int edits(String a, String b) {
        int[] before = new int[b.length() + 1];
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(row[j - 1], above[j]) + 1, above[j - 1] + change);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            before = above;
            above = row;
        }
        return above[b.length()];
    }

    private static String lower(String word) {
        StringBuilder lower = new StringBuilder(word);
        for (int i = 0; i < word.length(); i++) {
            lower.setCharAt(i, Character.toLowerCase(word.charAt(i)));
        }
        return lower.toString();
    }
}
