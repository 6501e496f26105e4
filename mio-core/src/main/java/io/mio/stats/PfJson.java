package io.mio.stats;

import io.mio.stats.PfSnapshot.Details;
import io.mio.stats.PfSnapshot.Plan;
import io.mio.stats.PfSnapshot.Transfers;

/** The JSON object of a pf block; its members are specified in docs/format/stats.md. */
final class PfJson {
    private PfJson() {}

    static void write(JsonText json, PfSnapshot pf) {
        json.put("of", pf.isOfCache() ? "cache" : "file").put("file", pf.file());
        if (pf.cache() == PfSnapshot.PRIVATE) {
            json.put("cache", "private");
        } else {
            json.put("cache", "global").put("cache_number", pf.cache());
        }
        json.put("below", pf.below())
                .put("unit", pf.unit().label())
                .put("tag", pf.tag())
                .put("pages", pf.pages())
                .put("page_bytes", pf.pageBytes())
                .put("sector_bytes", pf.sectorBytes())
                .put("not_preread", pf.notPreread())
                .put("not_preread_for_write", pf.notPrereadForWrite())
                .put("unused_prefetches", pf.unusedPrefetches())
                .put("started_prefetches", pf.startedPrefetches())
                .put("distance_pages", pf.distance())
                .put("write_behinds", pf.writeBehinds())
                .put("forced_syncs", pf.forcedSyncs())
                .put("retained_pages", pf.retainedPages())
                .put("program", transfers(pf.program()))
                .put("child", transfers(pf.child()));
        details(json, pf.details());
        if (pf.plan() != null) {
            json.put("plan", plan(pf.plan()));
        }
    }

    private static JsonText plan(Plan plan) {
        return new JsonText()
                .put("state", plan.state())
                .put("reason", plan.reason())
                .put("pages", plan.pages())
                .put("place", plan.place())
                .put("requests", plan.requests())
                .put("followed", plan.followed())
                .put("left", plan.left());
    }

    private static JsonText transfers(Transfers all) {
        return new JsonText()
                .put("written_bytes", all.bytesWritten())
                .put("writes", all.writes())
                .put("read_bytes", all.bytesRead())
                .put("reads", all.reads());
    }

    private static void details(JsonText json, Details all) {
        json.put("hits", all.hits())
                .put("misses", all.misses())
                .put("partial_reads", all.partialReads())
                .put("prefetch_waits", all.prefetchWaits())
                .put("prefetch_wait_ns", all.prefetchWaitNanos())
                .put("evictions", all.evictions())
                .put("dirty_evictions", all.dirtyEvictions())
                .put("write_errors", all.writeErrors())
                .put("streams", all.streams())
                .put("gate_waits", all.gateWaits())
                .put("gate_wait_ns", all.gateWaitNanos())
                .put("backend", all.backend())
                .put("direct", all.direct());
    }
}
