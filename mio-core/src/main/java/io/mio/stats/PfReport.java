package io.mio.stats;

import io.mio.stats.PfSnapshot.Plan;
import io.mio.stats.PfSnapshot.Transfers;

/**
 * The classic text of a pf block, label for label and column for column that of the original
 * (reference 4.5, document 000).
 */
final class PfReport {
    // Widths of columns.
    private static final int WRITE_BEHINDS = 13;
    private static final int PROGRAM_BYTES = 13;
    private static final int REQUESTS = 6;

    private PfReport() {}

    static String classic(PfSnapshot pf) {
        String tag = LineText.of(pf.tag());
        ReportText out = new ReportText();
        out.text(tag).text("pf ").text(pf.event().label()).text(" for ").text(subject(pf));
        out.text("\n").text(tag).text("   ").number(pf.pages()).text(" pages of ");
        out.number(pf.pageBytes()).text(" bytes   ").number(pf.sectorBytes());
        out.text(" bytes per sector\n");
        out.text(tag).text("   ").number(pf.notPreread()).text("/");
        out.number(pf.notPrereadForWrite()).text(" pages not preread for write\n");
        out.text(tag).text("   ").number(pf.unusedPrefetches());
        out.text(" unused prefetches out of ").number(pf.startedPrefetches());
        out.text(" : prefetch=").number(pf.isOfCache() ? 0 : pf.distance()).text("\n");
        plan(out, tag, pf.plan());
        count(out.text(tag), pf.writeBehinds(), " write behinds\n");
        if (pf.forcedSyncs() != 0) {
            count(out.text(tag), pf.forcedSyncs(), " page syncs forced by ill formed writes\n");
        }
        if (pf.retainedPages() != 0) {
            count(out.text(tag), pf.retainedPages(), " pages retained over close\n");
        }
        out.text(tag).text("   ").text(pf.unit().label());
        out.text(" transferred / Number of requests\n").text(tag);
        Transfers program = pf.program();
        Transfers child = pf.child();
        transfers(out, pf, "-->", program.bytesWritten(), program.writes());
        transfers(out, pf, child.bytesWritten(), child.writes()).text(" --> ");
        out.text(pf.below()).text("\n").text(tag);
        transfers(out, pf, "<--", program.bytesRead(), program.reads());
        transfers(out, pf, child.bytesRead(), child.reads()).text(" <-- ");
        return out.text(pf.below()).text("\n").toString();
    }

    /** Returns the subject of the block, as the first line and the JSON have it. */
    private static String subject(PfSnapshot pf) {
        if (!pf.isOfCache()) {
            return LineText.of(pf.file());
        }
        return pf.cache() == PfSnapshot.PRIVATE ? "private cache" : "global cache " + pf.cache();
    }

    private static void plan(ReportText out, String tag, Plan plan) {
        if (plan == null) {
            return;
        }
        if (plan.none() == null) {
            out.text(tag).text("   ").number(plan.followed()).text("/").number(plan.requests());
            out.text(" requests by the plan : place=").number(plan.place()).text("/");
            out.number(plan.pages()).text(" left=").number(plan.left()).text("\n");
        }
        if (plan.reason() != null) {
            out.text(tag).text(plan.none() == null ? "   plan left : " : "   no plan : ");
            out.text(LineText.of(plan.reason())).text("\n");
        }
    }

    private static void count(ReportText out, long count, String label) {
        out.right(count, WRITE_BEHINDS).text(label);
    }

    private static void transfers(
            ReportText out, PfSnapshot pf, String arrow, long bytes, long requests) {
        out.text("   program ").text(arrow);
        out.text(" ").right(pf.unit().whole(bytes), PROGRAM_BYTES);
        out.text("/").left(Long.toString(requests), REQUESTS);
        out.text(" ").text(arrow).text(" pf ").text(arrow).text(" ");
    }

    private static ReportText transfers(ReportText out, PfSnapshot pf, long bytes, long requests) {
        return out.number(pf.unit().whole(bytes)).text("/").left(Long.toString(requests), REQUESTS);
    }
}
