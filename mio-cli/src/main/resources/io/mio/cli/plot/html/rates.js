// Panels of what was moved over time: bandwidth, and bytes so far. Reads and writes of each stage are curves.

/** CSS pixels of a bin. */
const BIN_PIXELS = 2;

const STAGE_LINES = {
    PROGRAM: { width: 1.5, dash: [], fill: 0.14 },
    BETWEEN: { width: 1.25, dash: [6, 3], fill: 0 },
    SYSTEM: { width: 1.5, dash: [2, 2], fill: 0 },
};

/** Reads and writes of each stage that somebody saw. */
function directions(panel, runs) {
    const made = [];
    for (const stage of STAGES) {
        for (const [word, fits, colour] of [['reads', isRead, 'READ'], ['writes', isWrite, 'WRITE']]) {
            if (runs.some((run) => run.series.some((series) => series.stage === stage && fits(series.what)))) {
                made.push({ key: panel + '_' + stage + '-' + word, stage, word, fits, colour,
                    label: META.stages[stage] + ' ' + word });
            }
        }
    }
    return made;
}

function directionLegend(panel, runs) {
    return directions(panel, runs).map((one) => ({ key: one.key, label: one.label, colour: one.colour,
        form: one.stage === 'PROGRAM' ? 'line' : 'dash' }));
}

/** For each series of a run the index of its curve, or -1. */
function curveOfSeries(run, curves) {
    return Int8Array.from(run.series, (series) =>
        curves.findIndex((curve) => curve.stage === series.stage && curve.fits(series.what)));
}

const BANDWIDTH_PANEL = {
    name: 'bandwidth',
    title: 'Bandwidth',
    height: 120,
    axis: 'rate',
    time: true,
    has: (runs) => directions('bandwidth', runs).length > 0,
    legend: (runs) => directionLegend('bandwidth', runs),
    compute(part) {
        const curves = directions('bandwidth', [part.run]).filter((curve) => !STATE.hidden.has(curve.key));
        const of = curveOfSeries(part.run, curves);
        const count = Math.max(1, Math.floor(part.width / BIN_PIXELS));
        const bins = curves.map(() => new Bins(part.from, part.to, count));
        let marks = 0;
        const { table } = part;
        for (const row of part.rows) {
            const curve = of[table.series[row]];
            if (curve >= 0) {
                marks++;
                bins[curve].add(table.start[row], table.end[row], table.bytes[row]);
            }
        }
        const perSecond = 1e9 / ((part.to - part.from) / count);
        const values = bins.map((one) => one.finish().map((value) => value * perSecond));
        return { curves, values, marks, top: d3.max(values, (one) => d3.max(one)) || 0 };
    },
    paint(context, plane, part, data) {
        data.curves.forEach((curve, index) => paintSteps(context, plane, part, curve, data.values[index]));
        return data.marks;
    },
    at(part, data, t) {
        return data.curves.map((curve, index) => {
            const bin = Math.floor((t - part.from) / (part.to - part.from) * data.values[index].length);
            return [curve.label, formatRate(data.values[index][bin] || 0)];
        });
    },
};

/** A curve of bins: their tops, and softly what lies below them. */
function paintSteps(context, plane, part, curve, values) {
    const style = STAGE_LINES[curve.stage];
    const colour = part.colours[curve.colour];
    const path = new Path2D();
    path.moveTo(0, plane.y(values[0]));
    const step = plane.width / values.length;
    for (let bin = 0; bin < values.length; bin++) {
        const y = plane.y(values[bin]);
        path.lineTo(bin * step, y);
        path.lineTo((bin + 1) * step, y);
    }
    strokeCurve(context, path, part, style, colour);
    if (style.fill > 0 && !part.second) {
        path.lineTo(plane.width, plane.height);
        path.lineTo(0, plane.height);
        context.fillStyle = translucent(colour, style.fill);
        context.fill(path);
    }
}

function strokeCurve(context, path, part, style, colour) {
    context.strokeStyle = colour;
    // Dashes stand for runs where there are several: stages then differ in width.
    context.lineWidth = part.dash !== null && style !== STAGE_LINES.PROGRAM ? 0.75 : style.width;
    context.setLineDash(part.dash || style.dash);
    context.lineJoin = 'round';
    context.stroke(path);
    context.setLineDash([]);
}

const CUMULATIVE_PANEL = {
    name: 'cumulative',
    title: 'Bytes so far',
    height: 120,
    axis: 'bytes',
    time: true,
    has: (runs) => directions('cumulative', runs).length > 0,
    legend: (runs) => directionLegend('cumulative', runs),
    compute(part) {
        const curves = directions('cumulative', [part.run]).filter((curve) => !STATE.hidden.has(curve.key));
        const of = curveOfSeries(part.run, curves);
        const count = Math.max(1, Math.floor(part.width / BIN_PIXELS));
        const bins = curves.map(() => new Bins(part.from, part.to, count));
        const before = curves.map(() => 0);
        const { table } = part;
        const last = d3.bisectRight(table.start, part.to);
        for (let row = 0; row < last; row++) {
            const curve = of[table.series[row]];
            if (curve >= 0 && part.keep[table.series[row]]) {
                before[curve] += amountBefore(table.start[row], table.end[row], table.bytes[row], part.from);
            }
        }
        let marks = 0;
        for (const row of part.rows) {
            const curve = of[table.series[row]];
            if (curve >= 0) {
                marks++;
                bins[curve].add(table.start[row], table.end[row], table.bytes[row]);
            }
        }
        const values = bins.map((one, index) => {
            const sums = new Float64Array(count + 1);
            sums[0] = before[index];
            one.finish().forEach((value, bin) => {
                sums[bin + 1] = sums[bin] + value;
            });
            return sums;
        });
        return { curves, values, marks, top: d3.max(values, (one) => one[count]) || 0 };
    },
    paint(context, plane, part, data) {
        data.curves.forEach((curve, index) => {
            const path = new Path2D();
            const values = data.values[index];
            const step = plane.width / (values.length - 1);
            values.forEach((value, edge) => path.lineTo(edge * step, plane.y(value)));
            strokeCurve(context, path, part, STAGE_LINES[curve.stage], part.colours[curve.colour]);
        });
        return data.marks;
    },
    at(part, data, t) {
        return data.curves.map((curve, index) => {
            const at = Math.round((t - part.from) / (part.to - part.from) * (data.values[index].length - 1));
            return [curve.label, formatBytes(data.values[index][at] || 0)];
        });
    },
};
