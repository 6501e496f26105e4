package io.mio.pf;

/**
 * What came of it that a file is to go by a plan.
 *
 * @param follows whether it goes by one
 * @param words about the plan; or why there is none
 */
public record PlanAnswer(boolean follows, String words) {
    /** The answer in a line, for whoever wants to see opens. */
    public String line() {
        return follows ? words : "no plan: " + words;
    }

    /** The answer in one word, as decisions have it. */
    public String what() {
        return follows ? "plan" : "no-plan";
    }
}
