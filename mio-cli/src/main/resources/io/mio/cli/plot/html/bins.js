// Amounts over time, counts by size: what curves and histograms are drawn from.

/** Amounts spread over bins of equal width between two moments. */
class Bins {
    constructor(from, to, count) {
        this.from = from;
        this.width = (to - from) / count;
        this.count = count;
        this.values = new Float64Array(count + 1);
        this.steps = new Float64Array(count + 2);
    }

    /** Spreads an amount evenly over a time; what lies outside is left out. */
    add(start, end, amount) {
        if (end <= start) {
            const bin = Math.floor((start - this.from) / this.width);
            if (bin >= 0 && bin < this.count) {
                this.values[bin] += amount;
            }
            return;
        }
        const first = Math.max(0, (start - this.from) / this.width);
        const last = Math.min(this.count, (end - this.from) / this.width);
        if (last <= first) {
            return;
        }
        const perBin = amount / (end - start) * this.width;
        const i = Math.floor(first);
        const j = Math.floor(last);
        if (i === j) {
            this.values[i] += perBin * (last - first);
            return;
        }
        this.values[i] += perBin * (i + 1 - first);
        this.values[j] += perBin * (last - j);
        this.steps[i + 1] += perBin;
        this.steps[j] -= perBin;
    }

    /** Amounts by bin. */
    finish() {
        let level = 0;
        let most = 0;
        const made = new Float64Array(this.count);
        for (let bin = 0; bin < this.count; bin++) {
            level += this.steps[bin];
            made[bin] = this.values[bin] + level;
            most = Math.max(most, made[bin]);
        }
        // Sums of what was added and taken away again are not exactly nothing.
        return made.map((value) => (value < most * 1e-9 ? 0 : value));
    }
}

/** How much of an amount spread over a time lies before a moment. */
function amountBefore(start, end, amount, moment) {
    if (end <= moment) {
        return amount;
    }
    return start >= moment ? 0 : amount * (moment - start) / (end - start);
}

/** Gives each request the lowest slot that is free at its start, so that no two bars overlap. */
function slotsOf(table, wanted) {
    const slots = new Int32Array(table.size).fill(-1);
    const ends = [];
    const free = [];
    // Those that are busy, by their ends: a binary heap of [end, slot].
    for (let row = 0; row < table.size; row++) {
        if (!wanted[table.series[row]] || table.shape[row] !== SHAPE.EVENT) {
            continue;
        }
        while (ends.length > 0 && ends[0][0] <= table.start[row]) {
            heapPush(free, [heapPop(ends)[1], 0]);
        }
        const slot = free.length > 0 ? heapPop(free)[0] : ends.length;
        slots[row] = slot;
        heapPush(ends, [table.end[row], slot]);
    }
    return slots;
}

function heapPush(heap, item) {
    let at = heap.length;
    heap.push(item);
    while (at > 0) {
        const up = (at - 1) >> 1;
        if (heap[up][0] <= item[0]) {
            break;
        }
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = item;
}

function heapPop(heap) {
    const top = heap[0];
    const item = heap.pop();
    if (heap.length === 0) {
        return top;
    }
    let at = 0;
    for (;;) {
        let down = 2 * at + 1;
        if (down >= heap.length) {
            break;
        }
        if (down + 1 < heap.length && heap[down + 1][0] < heap[down][0]) {
            down++;
        }
        if (heap[down][0] >= item[0]) {
            break;
        }
        heap[at] = heap[down];
        at = down;
    }
    heap[at] = item;
    return top;
}

/** The bucket of a value: four to each doubling, as class Buckets has them. */
function bucketOf(value) {
    if (value < 4) {
        return Math.max(0, Math.floor(value));
    }
    const doublings = Math.floor(Math.log2(value) + 1e-12) - 2;
    return doublings * 4 + Math.min(7, Math.floor(value / Math.pow(2, doublings)));
}

/** The least value of a bucket. */
function bucketFrom(bucket) {
    if (bucket < 8) {
        return bucket;
    }
    const doublings = (bucket >> 2) - 1;
    return ((bucket & 3) + 4) * Math.pow(2, doublings);
}

/** A figure that is known, and not only bounded. */
function exactly(value) {
    return { value, exact: true };
}

/** The value below which a share of the values lies, of sorted values; null if there are none. */
function percentileOf(sorted, share) {
    return sorted.length === 0 ? null : exactly(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]);
}

/** The same of counts by bucket: what it is at most, at most 25 % too large; cap is no less than any of the values. */
function percentileOfBuckets(counts, share, cap) {
    const total = d3.sum(counts);
    let below = 0;
    for (let bucket = 0; bucket < counts.length; bucket++) {
        below += counts[bucket];
        if (total > 0 && below >= share * total) {
            const value = Math.min(bucketFrom(bucket + 1) - 1, cap);
            return { value, exact: value <= bucketFrom(bucket) };
        }
    }
    return null;
}
