// Panel of requests in flight: each as a bar when there are few, else how many there were on average.

/** Bars that are drawn one by one. */
const BARS_MOST = 3000;

const FLIGHT_KINDS = [
    { what: 'READ', label: 'reads' },
    { what: 'WRITE', label: 'writes' },
    { what: 'ASYNC_READ', label: 'asynchronous reads' },
    { what: 'ASYNC_WRITE', label: 'asynchronous writes' },
];

/** Stages at which requests were seen, uppermost first. */
function stagesWithTransfers(runs) {
    return STAGES.filter((stage) =>
        runs.some((run) => run.series.some((series) => series.stage === stage && isTransfer(series.what))));
}

/** The stage that is shown: as chosen, else the lowest. */
function stageOf(panel, runs) {
    const stages = stagesWithTransfers(runs);
    return stages.includes(STATE.stages[panel]) ? STATE.stages[panel] : stages[stages.length - 1];
}

/** Slots of all requests of a stage; kept until other files are chosen. */
function slotsFor(part, wanted) {
    const { table } = part;
    const key = wanted.join('');
    if (table.slotsKey !== key) {
        table.slots = slotsOf(table, wanted);
        table.slotsKey = key;
    }
    return table.slots;
}

const FLIGHT_PANEL = {
    name: 'in-flight',
    title: 'Requests in flight',
    height: 130,
    axis: 'count',
    time: true,
    stages: stagesWithTransfers,
    has: (runs) => stagesWithTransfers(runs).length > 0,
    legend(runs) {
        const stage = stageOf('in-flight', runs);
        return FLIGHT_KINDS
            .filter((kind) => runs.some((run) => run.series.some((series) => series.stage === stage
                && series.what === WHAT[kind.what])))
            .map((kind) => ({ key: 'in-flight_' + kind.what, label: kind.label, colour: kind.what, form: 'fill' }));
    },
    compute(part) {
        const stage = stageOf('in-flight', [part.run]);
        const fits = (series) => series.stage === stage && isTransfer(series.what)
            && !STATE.hidden.has('in-flight_' + WHATS[series.what].name);
        const rows = rowsWhere(part, fits);
        const data = { rows, marks: rows.length, top: 1, bars: rows.length <= BARS_MOST && allSingle(part.table, rows) };
        if (data.bars) {
            const wanted = Array.from(part.run.series, (series, index) => (part.keep[index] && fits(series) ? 1 : 0));
            data.slots = slotsFor(part, wanted);
            for (const row of rows) {
                data.top = Math.max(data.top, data.slots[row] + 1);
            }
            data.detail = 'one bar for each';
        } else {
            this.average(part, data);
            data.detail = 'mean number';
        }
        return data;
    },
    average(part, data) {
        const { table, run } = part;
        const count = Math.max(1, Math.floor(part.width));
        const bins = FLIGHT_KINDS.map(() => new Bins(part.from, part.to, count));
        const kindOf = run.series.map((series) => FLIGHT_KINDS.findIndex((kind) => WHAT[kind.what] === series.what));
        for (const row of data.rows) {
            bins[kindOf[table.series[row]]].add(table.start[row], table.end[row], table.busy[row]);
        }
        const width = (part.to - part.from) / count;
        const below = new Float64Array(count);
        data.stacks = bins.map((one) => {
            const from = Float64Array.from(below);
            one.finish().forEach((value, bin) => {
                below[bin] += value / width;
            });
            return { from, to: Float64Array.from(below) };
        });
        data.top = Math.max(1e-6, d3.max(below));
    },
    paint(context, plane, part, data) {
        if (data.bars) {
            return paintBars(context, plane, part, data);
        }
        FLIGHT_KINDS.forEach((kind, index) => paintStack(context, plane, part, kind, data.stacks[index]));
        return data.marks;
    },
    at(part, data, t) {
        if (data.bars) {
            return [];
        }
        return FLIGHT_KINDS.map((kind, index) => {
            const { from, to } = data.stacks[index];
            const bin = Math.floor((t - part.from) / (part.to - part.from) * to.length);
            return [kind.label, to[bin] - from[bin]];
        }).filter(([, value]) => value > 0).map(([label, value]) => [label, figures(value)]);
    },
};

/** Place of the bar of a request: [left, right, top, bottom]. */
function barOf(plane, table, slots, row) {
    const left = Math.max(-4, plane.x(table.start[row]));
    const right = Math.min(plane.width + 4, Math.max(plane.x(table.end[row]), left + LEAST));
    const top = plane.y(slots[row] + 1);
    const height = plane.y(slots[row]) - top;
    const gap = Math.min(2, height * 0.2);
    return [left, right, top + gap / 2, top + height - gap / 2];
}

function paintBars(context, plane, part, data) {
    const { table, run } = part;
    for (const row of data.rows) {
        const [left, right, top, bottom] = barOf(plane, table, data.slots, row);
        const colour = part.colours[WHATS[run.series[table.series[row]].what].name];
        if (part.second) {
            context.strokeStyle = colour;
            context.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
            continue;
        }
        context.fillStyle = colour;
        context.fillRect(left, top, right - left, bottom - top);
    }
    return data.rows.length;
}

function paintStack(context, plane, part, kind, stack) {
    const { from, to } = stack;
    if (to.every((value, bin) => value === from[bin])) {
        return;
    }
    const step = plane.width / to.length;
    const path = new Path2D();
    for (let bin = 0; bin < to.length; bin++) {
        path.lineTo(bin * step, plane.y(to[bin]));
        path.lineTo((bin + 1) * step, plane.y(to[bin]));
    }
    const colour = part.colours[kind.what];
    if (part.second) {
        context.strokeStyle = colour;
        context.setLineDash(part.dash);
        context.stroke(path);
        context.setLineDash([]);
        return;
    }
    for (let bin = to.length - 1; bin >= 0; bin--) {
        path.lineTo((bin + 1) * step, plane.y(from[bin]));
        path.lineTo(bin * step, plane.y(from[bin]));
    }
    context.fillStyle = translucent(colour, 0.8);
    context.fill(path);
}

/** The request whose bar is at a point, or -1. */
function barAt(plane, part, data, x, y) {
    for (const row of data.rows) {
        const [left, right, top, bottom] = barOf(plane, part.table, data.slots, row);
        if (x >= left - 2 && x <= right + 2 && y >= top - 1 && y <= bottom + 1) {
            return row;
        }
    }
    return -1;
}
