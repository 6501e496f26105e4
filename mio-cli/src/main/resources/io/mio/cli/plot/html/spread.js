// Panels of distributions: how long requests took and how large they were, in the window.

/** Form 'log' shows counts on a logarithmic axis, 'time' the values over time. */
const SPREAD_FORMS = [['', 'histogram'], ['log', 'histogram, log counts'], ['time', 'over time']];

/** Time bins that a window holds at least if the counts of whole bins are to tell of it. */
const BINS_LEAST = 4;

/** A panel of durations or of sizes; longestOf is the largest value of a mark, null where marks do not have it. */
function spreadPanel(name, title, valueOf, longestOf, format, ticks) {
    return {
        name, title, format,
        height: 140,
        get axis() {
            return STATE.forms[name] === 'time' ? 'log' : STATE.forms[name] === 'log' ? 'logcount' : 'count';
        },
        get time() {
            return STATE.forms[name] === 'time';
        },
        forms: SPREAD_FORMS,
        valueTicks: ticks,
        has: (runs) => directions(name, runs).length > 0,
        legend: (runs) => directionLegend(name, runs),
        compute(part) {
            const curves = directions(name, [part.run]).filter((curve) => !STATE.hidden.has(curve.key));
            const of = curveOfSeries(part.run, curves);
            const data = { curves, marks: 0, top: 0, low: Infinity, high: 0 };
            wholeDomain(part, name, of, data);
            const rows = part.rows.filter((row) => of[part.table.series[row]] >= 0);
            data.exact = allSingle(part.table, rows);
            if (data.exact) {
                countMarks(part, rows, of, data, valueOf);
            } else {
                countBuckets(part, name, of, data);
                figuresOfBuckets(part, name, rows, of, data, longestOf);
            }
            if (STATE.forms[name] === 'time') {
                data.cells = data.exact ? null : cellsOf(part, name, of);
                data.points = data.exact ? rows : null;
                data.binNanos = part.run[name + '_bin'];
                data.of = of;
                data.valueOf = valueOf;
                data.top = 1;
            } else {
                data.top = d3.max(data.counts, (counts) => d3.max(counts)) || 0;
            }
            return data;
        },
        paint(context, plane, part, data) {
            if (STATE.forms[name] === 'time') {
                paintOverTime(context, plane, part, data);
            } else {
                data.curves.forEach((curve, index) => paintHistogram(context, plane, part, curve, data.counts[index]));
            }
            return data.marks;
        },
    };
}

/** Least and largest bucket of the whole run, so that the axis stays where it is. */
function wholeDomain(part, name, of, data) {
    const all = part.run[name];
    if (!all) {
        return;
    }
    for (let i = 0; i < all.size; i++) {
        if (part.keep[all.series[i]] && of[all.series[i]] >= 0) {
            data.low = Math.min(data.low, all.bucket[i]);
            data.high = Math.max(data.high, all.bucket[i]);
        }
    }
}

/** Counts and percentiles of the single requests that ended in the window. */
function countMarks(part, rows, of, data, valueOf) {
    const { table } = part;
    const values = data.curves.map(() => []);
    for (const row of rows) {
        if (table.end[row] >= part.from && table.end[row] <= part.to) {
            values[of[table.series[row]]].push(valueOf(table, row));
            data.marks++;
        }
    }
    data.figures = values.map((list) => {
        const sorted = Float64Array.from(list).sort();
        return { events: exactly(list.length), p50: percentileOf(sorted, 0.5), p90: percentileOf(sorted, 0.9),
            p99: percentileOf(sorted, 0.99), most: percentileOf(sorted, 1) };
    });
    data.counts = values.map((list) => {
        const counts = [];
        for (const value of list) {
            const bucket = bucketOf(value);
            counts[bucket] = (counts[bucket] || 0) + 1;
            data.low = Math.min(data.low, bucket);
            data.high = Math.max(data.high, bucket);
        }
        return Array.from(counts, (count) => count || 0);
    });
}

/** Counts by bucket of all time bins that the window touches, and how long these are. */
function countBuckets(part, name, of, data) {
    data.counts = data.curves.map(() => []);
    const all = part.run[name];
    const from = Math.max(part.from, BEGIN);
    const to = Math.min(part.to, BEGIN + part.run.span);
    if (all && from <= to) {
        const first = Math.floor((from - BEGIN) / all.binNanos);
        const last = Math.floor((to - BEGIN) / all.binNanos);
        for (let i = 0; i < all.size; i++) {
            const curve = of[all.series[i]];
            if (curve >= 0 && part.keep[all.series[i]] && all.bin[i] >= first && all.bin[i] <= last) {
                const counts = data.counts[curve];
                counts[all.bucket[i]] = (counts[all.bucket[i]] || 0) + all.events[i];
            }
        }
        const counted = Math.min(BEGIN + part.run.span, BEGIN + (last + 1) * all.binNanos) - (BEGIN + first * all.binNanos);
        data.detail = counted > to - from ? 'counts of ' + formatTime(counted) + ' around the window' : '';
        data.telling = counted <= to - from || to - from >= BINS_LEAST * all.binNanos;
    }
    data.counts = data.counts.map((counts) => Array.from(counts, (count) => count || 0));
}

/** How many requests ended in the window, the largest of them, and percentiles of what was counted. */
function figuresOfBuckets(part, name, rows, of, data, longestOf) {
    data.figures = requestsWithin(part, rows, of, data.curves, longestOf);
    data.figures.forEach((figures, curve) => {
        data.marks += figures.events.value;
        const cap = d3.max(part.run[name + '_most'].filter((most, series) => of[series] === curve && part.keep[series]));
        const percentile = (share) => (data.telling ? percentileOfBuckets(data.counts[curve], share, cap) : null);
        Object.assign(figures, { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) });
        figures.most = longestOf === null ? percentile(1) : figures.most;
    });
}

/** Of marks that reach beyond the window their share counts. */
function requestsWithin(part, rows, of, curves, longestOf) {
    const { table, from, to } = part;
    const made = curves.map(() => ({ events: 0, exact: true, inside: -1, cut: -1 }));
    for (const row of rows) {
        const one = made[of[table.series[row]]];
        const inside = table.end[row] <= to && (table.start[row] >= from || table.shape[row] === SHAPE.EVENT && table.end[row] >= from);
        const side = inside ? 'inside' : 'cut';
        if (!inside && table.shape[row] === SHAPE.EVENT) {
            continue;
        }
        const share = inside ? 1
            : (Math.min(table.end[row], to) - Math.max(table.start[row], from)) / (table.end[row] - table.start[row]);
        one.events += share * table.events[row];
        one.exact = one.exact && inside;
        one[side] = longestOf === null ? -1 : Math.max(one[side], longestOf(table, row));
    }
    return made.map((one) => ({
        events: { value: Math.round(one.events), exact: one.exact },
        most: one.events === 0 ? null : { value: Math.max(one.inside, one.cut), exact: one.inside >= one.cut },
    }));
}

/** Counts by time bin and bucket, all curves together. */
function cellsOf(part, name, of) {
    const all = part.run[name];
    const cells = new Map();
    for (let i = 0; all && i < all.size; i++) {
        const curve = of[all.series[i]];
        if (curve >= 0 && part.keep[all.series[i]]) {
            const key = curve + ',' + all.bin[i] + ',' + all.bucket[i];
            const cell = cells.get(key) || { curve, bin: all.bin[i], bucket: all.bucket[i], events: 0 };
            cell.events += all.events[i];
            cells.set(key, cell);
        }
    }
    return Array.from(cells.values());
}

/** On the plane of a histogram the time axis holds buckets. */
function paintHistogram(context, plane, part, curve, counts) {
    const style = STAGE_LINES[curve.stage];
    const colour = part.colours[curve.colour];
    const path = new Path2D();
    const floor = plane.height;
    path.moveTo(plane.x(plane.t0), floor);
    for (let bucket = Math.floor(plane.t0); bucket < plane.t1; bucket++) {
        const count = counts[bucket] || 0;
        const y = count === 0 ? floor : Math.min(plane.scaleY(count), floor - 1);
        path.lineTo(plane.x(bucket), y);
        path.lineTo(plane.x(bucket + 1), y);
    }
    path.lineTo(plane.width, floor);
    if (!part.second) {
        context.fillStyle = translucent(colour, style.fill || 0.06);
        context.fill(path);
    }
    strokeCurve(context, path, part, style, colour);
}

/** On this plane the value axis holds buckets. */
function paintOverTime(context, plane, part, data) {
    const { table } = part;
    if (data.points !== null) {
        for (const row of data.points) {
            const curve = data.curves[data.of[table.series[row]]];
            context.fillStyle = translucent(part.colours[curve.colour], curve.stage === 'PROGRAM' ? 0.8 : 0.45);
            context.fillRect(plane.x(table.end[row]) - 1, plane.y(bucketPlace(data.valueOf(table, row))) - 1, 2.5, 2.5);
        }
        return;
    }
    const most = d3.max(data.cells, (cell) => cell.events) || 1;
    const { binNanos } = data;
    const width = binNanos * plane.kx;
    for (const cell of data.cells) {
        const x = plane.x(BEGIN + cell.bin * binNanos);
        if (x + width >= 0 && x <= plane.width) {
            context.fillStyle = translucent(part.colours[data.curves[cell.curve].colour],
                0.12 + 0.75 * Math.log1p(cell.events) / Math.log1p(most));
            context.fillRect(x, plane.y(cell.bucket + 1), Math.max(width, 1), plane.y(0) - plane.y(1));
        }
    }
}

/** Place of a value among the buckets, with its fraction. */
function bucketPlace(value) {
    const bucket = bucketOf(value);
    const from = bucketFrom(bucket);
    const to = bucketFrom(bucket + 1);
    return bucket + Math.min(1, (value - from) / (to - from));
}

/** Ticks of durations: 1, 10, 100 of each unit. */
function latencyTicks(low, high) {
    const factors = high - low > 60 ? [1] : high - low > 30 ? [1, 3] : [1, 2, 5];
    return placed(low, high, d3.range(0, 19).flatMap((exponent) => factors.map((factor) =>
        ({ value: factor * Math.pow(10, exponent), text: formatLatencyTick(factor, exponent) }))));
}

function formatLatencyTick(factor, exponent) {
    const unit = Math.min(3, Math.floor(exponent / 3));
    return grouped(String(factor * Math.pow(10, exponent - 3 * unit))) + ' ' + ['ns', 'µs', 'ms', 's'][unit];
}

/** Ticks of sizes: powers of two. */
function sizeTicks(low, high) {
    const step = high - low > 60 ? 4 : high - low > 24 ? 2 : 1;
    return placed(low, high, d3.range(0, 64, step).map((exponent) => ({
        value: Math.pow(2, exponent),
        text: Math.pow(2, exponent % 10) + ' ' + (BYTE_UNITS[Math.floor(exponent / 10)] || ''),
    })));
}

/** Ticks between two buckets; their values become places among the buckets. */
function placed(low, high, ticks) {
    return ticks.filter((tick) => tick.value >= bucketFrom(low) && tick.value <= bucketFrom(high + 1))
        .map((tick) => ({ value: bucketPlace(tick.value), text: tick.text }));
}

const LATENCY_PANEL = spreadPanel('latency', 'Latency', (table, row) => table.end[row] - table.start[row],
    (table, row) => table.longest[row], formatTime, latencyTicks);
const SIZES_PANEL = spreadPanel('sizes', 'Request sizes', (table, row) => table.bytes[row], null, formatBytes, sizeTicks);
