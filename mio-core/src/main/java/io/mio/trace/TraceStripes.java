package io.mio.trace;

import io.mio.counters.CounterFile;
import io.mio.counters.CounterLayout;
import io.mio.counters.CounterRecord;
import io.mio.counters.CounterStripe;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The sums of one trace layer for one open file, in stripes of which a thread takes a free one. See
 * {@link CounterStripe}.
 */
final class TraceStripes {
    private static final int STRIPES =
            Integer.highestOneBit(Math.min(16, 2 * Runtime.getRuntime().availableProcessors() + 1));

    /** Longest wait for the owner of a stripe, who needs it only for some stores. */
    private static final long OWNER_NANOS_MAX = 20_000_000;

    private final AtomicReferenceArray<CounterStripe> stripes = new AtomicReferenceArray<>(STRIPES);

    /** The file's record; null if others cannot see what is counted, or no longer can. */
    private volatile CounterRecord whole;

    TraceStripes(CounterRecord whole) {
        this.whole = whole;
    }

    /** Returns a stripe for the calling thread, to be released at once. */
    @SuppressWarnings("ThreadPriorityCheck") // correct without it; see the comment below
    CounterStripe own() {
        long id = Thread.currentThread().getId();
        int first = (int) (id * 0x9E3779B97F4A7C15L >>> 32) & STRIPES - 1;
        if (stripes.get(first) == null) {
            // A thread gets its own only when it meets another: a file that many use in turn then
            // costs as much as that of one thread.
            CounterStripe other = ownOther(first);
            if (other != null) {
                return other;
            }
        }
        long waitsSince = 0;
        for (int tries = 0; ; tries++) {
            int index = first + tries & STRIPES - 1;
            CounterStripe stripe = stripes.get(index);
            if (stripe == null) {
                stripe = placed(index, null);
                if (stripe != null) {
                    return stripe;
                }
                stripe = stripes.get(index);
            }
            if (stripe.tryOwn()) {
                return stripe;
            }
            if (tries % STRIPES < STRIPES - 1) {
                continue;
            }
            // All are taken: an owner has lost its processor. It gets a chance to run.
            long now = System.nanoTime();
            if (tries == STRIPES - 1) {
                waitsSince = now;
            }
            if (now - waitsSince > OWNER_NANOS_MAX) {
                // Owners died on the way, perhaps of a stack overflow. If this one did not, nothing
                // is lost either: the stripe that is replaced still counts.
                CounterStripe fresh = placed(index, stripe);
                if (fresh != null) {
                    return fresh;
                }
            }
            Thread.yield();
        }
    }

    /** Takes a free stripe that another thread made; null if there is none. */
    private CounterStripe ownOther(int first) {
        for (int i = 1; i < STRIPES; i++) {
            CounterStripe stripe = stripes.get(first + i & STRIPES - 1);
            if (stripe != null && stripe.tryOwn()) {
                return stripe;
            }
        }
        return null;
    }

    /** Puts a new, owned stripe where an owner died, or none was; null if another was faster. */
    private CounterStripe placed(int index, CounterStripe before) {
        CounterRecord owner = whole;
        CounterRecord record = owner == null ? null : CounterFile.take(CounterLayout.STRIPE, owner);
        CounterStripe fresh = CounterStripe.make(record, before);
        fresh.tryOwn();
        if (!stripes.compareAndSet(index, before, fresh)) {
            fresh.detach();
            return null;
        }
        fresh.show();
        if (whole == null) {
            // The records were given back meanwhile, perhaps without this one.
            fresh.detach();
        }
        return fresh;
    }

    @SuppressWarnings("ThreadPriorityCheck") // bounded, and correct without it
    private static boolean ownSoon(CounterStripe stripe) {
        long began = System.nanoTime();
        boolean owned = stripe.tryOwn();
        while (!owned && System.nanoTime() - began < OWNER_NANOS_MAX) {
            Thread.yield();
            owned = stripe.tryOwn();
        }
        return owned;
    }

    /** Number of stripes, without those that have lost their owner. For tests. */
    int count() {
        int count = 0;
        for (int i = 0; i < STRIPES; i++) {
            count += stripes.get(i) == null ? 0 : 1;
        }
        return count;
    }

    /** Returns the sum of all stripes. */
    CounterStripe sum() {
        CounterStripe sum = null;
        for (int i = 0; i < STRIPES; i++) {
            for (CounterStripe stripe = stripes.get(i); stripe != null; stripe = stripe.before()) {
                boolean owned = ownSoon(stripe);
                // An owner that died on the way must not hang a report: read without owning then.
                if (sum == null) {
                    sum = stripe.copy();
                } else {
                    stripe.addTo(sum);
                }
                if (owned) {
                    stripe.release();
                }
            }
        }
        return sum == null ? CounterStripe.make() : sum;
    }

    /**
     * Gives the records back. A stripe whose owner does not come back keeps its record, because the
     * owner may still be on the way.
     */
    void release() {
        if (whole == null) {
            return;
        }
        whole = null;
        for (int i = 0; i < STRIPES; i++) {
            for (CounterStripe stripe = stripes.get(i); stripe != null; stripe = stripe.before()) {
                if (ownSoon(stripe)) {
                    stripe.detach();
                    stripe.release();
                }
            }
        }
    }
}
