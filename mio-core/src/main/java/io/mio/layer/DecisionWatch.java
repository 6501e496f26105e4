package io.mio.layer;

/** Receives the decisions of a cache layer. Called on any thread; must not throw. */
public interface DecisionWatch {
    /**
     * Something was decided just now.
     *
     * @param what the decision, one word
     * @param reason in words
     */
    void decided(String what, String reason);

    /** Returns one that tells both; either may be null. */
    static DecisionWatch both(DecisionWatch first, DecisionWatch second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return (what, reason) -> {
            first.decided(what, reason);
            second.decided(what, reason);
        };
    }
}
