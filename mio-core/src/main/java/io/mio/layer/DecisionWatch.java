package io.mio.layer;

/** Receives the decisions of {@code pf/auto}. Called on any thread; must not throw. */
public interface DecisionWatch {
    /**
     * Something was decided just now.
     *
     * @param what the decision, one word
     * @param reason in words
     */
    void decided(String what, String reason);
}
