package io.mio.cli.check;

import io.mio.config.NamePattern;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells whether every name that fits one template fits at least one of some others.
 *
 * <p>A template is an automaton whose states are places in it; the others are followed together as
 * one set of places. The question is whether a name can be found that brings the one template to
 * its end and none of the others: a search over pairs of a place and a set. Characters that are in
 * no template all behave the same, so one of them is enough.
 */
final class PatternCover {
    /**
     * Most pairs looked at before the question stays open; templates that people write need some
     * dozens.
     */
    private static final int PAIRS_MAX = 20_000;

    private record Pair(BitSet narrow, BitSet wide) {}

    private PatternCover() {}

    /** Returns true if it is certain that no name fits {@code narrow} and none of {@code wide}. */
    static boolean covers(List<NamePattern> wide, NamePattern narrow) {
        Automaton one = new Automaton(List.of(narrow));
        Automaton all = new Automaton(wide);
        Set<Integer> alphabet = alphabet(one, all);
        Set<Pair> seen = new HashSet<>();
        Deque<Pair> open = new ArrayDeque<>();
        Pair start = new Pair(one.start(), all.start());
        seen.add(start);
        open.add(start);
        while (!open.isEmpty()) {
            Pair pair = open.remove();
            if (one.isEnd(pair.narrow) && !all.isEnd(pair.wide)) {
                return false;
            }
            for (int c : alphabet) {
                BitSet narrowNext = one.step(pair.narrow, c);
                if (narrowNext.isEmpty()) {
                    continue;
                }
                Pair next = new Pair(narrowNext, all.step(pair.wide, c));
                if (seen.add(next)) {
                    open.add(next);
                }
            }
            if (seen.size() > PAIRS_MAX) {
                return false;
            }
        }
        return true;
    }

    private static Set<Integer> alphabet(Automaton one, Automaton all) {
        Set<Integer> alphabet = new LinkedHashSet<>();
        alphabet.add((int) '/');
        one.literals().forEach(alphabet::add);
        all.literals().forEach(alphabet::add);
        int other = 1;
        while (alphabet.contains(other)) {
            other++;
        }
        alphabet.add(other);
        return alphabet;
    }

    /** What a state does with the next character. */
    private enum Kind {
        /** Takes this character and goes on. */
        LITERAL,
        /** Takes one character other than a slash and goes on. */
        ONE,
        /** Takes characters other than a slash, or goes on without. */
        MANY,
        /** Takes any characters, or goes on without. */
        ANY,
        /** The state behind the last character. */
        END
    }

    private record State(Kind kind, int point) {}

    /** Several templates side by side. The states of one follow each other and end with an END. */
    private static final class Automaton {
        private final List<State> states = new ArrayList<>();
        private final BitSet starts = new BitSet();

        Automaton(List<NamePattern> patterns) {
            for (NamePattern pattern : patterns) {
                add(pattern.template());
            }
        }

        private void add(String template) {
            starts.set(states.size());
            boolean leafOnly = template.indexOf('/') < 0;
            if (leafOnly) {
                // The directories may be missing: they are "", or any text and a slash.
                int leaf = states.size() + 2;
                states.add(new State(Kind.ANY, 0));
                states.add(new State(Kind.LITERAL, '/'));
                starts.set(leaf);
            }
            for (int at = 0; at < template.length(); ) {
                int point = template.codePointAt(at);
                at += Character.charCount(point);
                if (point == '*') {
                    boolean deep = at < template.length() && template.charAt(at) == '*';
                    while (at < template.length() && template.charAt(at) == '*') {
                        at++;
                    }
                    // A last component has no slash that ** could take.
                    states.add(new State(deep && !leafOnly ? Kind.ANY : Kind.MANY, 0));
                } else {
                    states.add(new State(point == '?' ? Kind.ONE : Kind.LITERAL, point));
                }
            }
            states.add(new State(Kind.END, 0));
        }

        List<Integer> literals() {
            return states.stream().filter(s -> s.kind == Kind.LITERAL).map(State::point).toList();
        }

        BitSet start() {
            return withFree((BitSet) starts.clone());
        }

        boolean isEnd(BitSet at) {
            return at.stream().anyMatch(i -> states.get(i).kind == Kind.END);
        }

        BitSet step(BitSet from, int c) {
            BitSet to = new BitSet();
            for (int i = from.nextSetBit(0); i >= 0; i = from.nextSetBit(i + 1)) {
                State state = states.get(i);
                switch (state.kind) {
                    case LITERAL -> to.set(i + 1, c == state.point || to.get(i + 1));
                    case ONE -> to.set(i + 1, c != '/' || to.get(i + 1));
                    case MANY -> to.set(i, c != '/' || to.get(i));
                    case ANY -> to.set(i);
                    case END -> {}
                }
            }
            return withFree(to);
        }

        /** Adds the states that are reached without a character. */
        private BitSet withFree(BitSet at) {
            for (int i = at.nextSetBit(0); i >= 0; i = at.nextSetBit(i + 1)) {
                Kind kind = states.get(i).kind;
                if (kind == Kind.MANY || kind == Kind.ANY) {
                    at.set(i + 1);
                }
            }
            return at;
        }
    }
}
