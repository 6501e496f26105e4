package io.mio.cli;

/**
 * How the reads of a file went by a plan, in a pf block of a report.
 *
 * @param state {@code followed}, {@code left} or {@code none}
 * @param reason why the plan is not followed, in words; empty if it is
 * @param pages visits of pages in the plan
 * @param place how many of these the run had behind it
 * @param requests reads that were looked up in the plan
 * @param followed of these, those that were where the plan said
 * @param left how often the plan was left
 */
public record PlanBlock(
        String state,
        String reason,
        long pages,
        long place,
        long requests,
        long followed,
        long left) {
    public static final String FOLLOWED = "followed";
    public static final String LEFT = "left";
    public static final String NONE = "none";

    /** There was no plan. */
    static PlanBlock none(String reason) {
        return new PlanBlock(NONE, reason, 0, 0, 0, 0, 0);
    }
}
