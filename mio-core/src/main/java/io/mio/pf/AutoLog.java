package io.mio.pf;

import io.mio.config.LayerSpec;
import io.mio.config.PfOption;
import io.mio.counters.CounterLayout;
import io.mio.counters.CounterRecord;
import io.mio.layer.DecisionWatch;
import io.mio.layer.OpenRequest;
import io.mio.stats.AutoSnapshot;
import io.mio.stats.AutoSnapshot.Decision;
import io.mio.stats.ByteUnit;
import io.mio.stats.ProcessFacts;
import io.mio.stats.StatsBlock;
import io.mio.stats.TraceSnapshot.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code pf/auto} did for one open, for its report. Requests that are not looked at are not
 * counted. Holds no layer.
 */
final class AutoLog implements AutoReport {
    /** Decisions that are kept: the first ones, at most this many. */
    static final int KEPT = 16;

    private final String file;
    private final String tag;
    private final ByteUnit unit;
    private final long openedNanos;
    private final List<Decision> decisions = new ArrayList<>(2);
    private long more;

    // Written by one thread at a time. Other threads that read them may see values a little late.
    private long looks;
    private long hints;
    private long hintBytes;
    private long cached;

    /** The state of the hints: a word of {@link HintDecisions#now}. */
    private String kernel = HintDecisions.LOOKING;

    private boolean pages;

    /** Records decisions, or null. */
    private DecisionWatch watch;

    /** The record in which other processes see what this layer does, or null. */
    private CounterRecord seen;

    AutoLog(LayerSpec spec, OpenRequest request) {
        this.file = request.name();
        this.tag = spec.isOn(PfOption.TAG) ? spec.text(PfOption.TAG) : "";
        this.unit = ByteUnit.of(spec.text(PfOption.UNIT));
        this.openedNanos = request.openedNanos();
    }

    /** Counts a request that was looked at. One thread at a time. */
    void looked() {
        looks++;
    }

    /** Counts ranges that the kernel got hints for. One thread at a time. */
    void told(int ranges, long bytesOfEach) {
        hints += ranges;
        hintBytes += ranges * bytesOfEach;
    }

    /** Counts a hint whose bytes were in the kernel's cache already. One thread at a time. */
    void cached() {
        cached++;
    }

    /** Takes over what {@code of} has newly decided. One thread at a time. */
    void hear(HintDecisions of) {
        if (!of.now().equals(kernel)) {
            kernel = of.now();
            show();
        }
        if (of.take()) {
            decided(of.word(), of.reason());
        }
    }

    /**
     * The open has got pages, or more of them.
     *
     * @param reason in words
     */
    void pages(String reason) {
        pages = true;
        show();
        decided("pages", reason);
    }

    /**
     * The open has no pages, or no longer any.
     *
     * @param reason in words
     */
    void noPages(String reason) {
        pages = false;
        show();
        decided("no-pages", reason);
    }

    /** What the kernel's cache has of the file cannot be seen. */
    void unseen() {
        decided(
                "unseen",
                "what was just read is not in the kernel's cache as far as it tells: what is there"
                        + " shows by the time that hints take");
    }

    /** The kernel reads long ranges ahead in large folios. */
    void folios() {
        decided(
                "folios",
                "the kernel reads ranges of 256 KB and more ahead in large folios, for two"
                        + " descriptors of MIO's own");
    }

    /**
     * Nothing is done for this open.
     *
     * @param reason in words
     */
    void unserved(String reason) {
        kernel = HintDecisions.KERNEL;
        decided(kernel, reason);
    }

    @Override
    public synchronized void show(CounterRecord record) {
        seen = record;
        show();
    }

    private synchronized void show() {
        if (seen != null) {
            seen.put(CounterLayout.AUTO_STATE, 1 + CounterLayout.AUTO_STATES.indexOf(state()));
        }
    }

    private String state() {
        return pages ? "pages" : kernel;
    }

    @Override
    public synchronized void release() {
        seen = null;
    }

    @Override
    public void watch(DecisionWatch told) {
        watch = told;
        decisions.forEach(known -> told.decided(known.what(), known.reason()));
    }

    private void decided(String what, String reason) {
        keep(what, reason);
        if (watch != null) {
            watch.decided(what, reason);
        }
    }

    private synchronized void keep(String what, String reason) {
        if (decisions.size() < KEPT) {
            long nanos = ProcessFacts.sinceStart(System.nanoTime());
            decisions.add(new Decision(nanos, what, reason));
        } else {
            more++;
        }
    }

    @Override
    public synchronized StatsBlock snapshot(Event event) {
        return new AutoSnapshot(
                event,
                file,
                tag,
                unit,
                ProcessFacts.sinceStart(openedNanos),
                ProcessFacts.sinceStart(System.nanoTime()),
                state(),
                looks,
                hints,
                hintBytes,
                cached,
                List.copyOf(decisions),
                more);
    }
}
