package io.mio.layer;

/** Is told what {@code pf/auto} decides, on any thread: must not throw. */
public interface DecisionWatch {
    /**
     * Something was decided just now.
     *
     * @param what a word
     * @param reason in words
     */
    void decided(String what, String reason);
}
