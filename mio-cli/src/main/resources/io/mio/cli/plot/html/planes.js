// Panels of offsets against time: what the program did, what the system saw, what happened to pages.
//
// A panel is { name, title, height, axis, has, legend, compute, paint }. A part is what one run contributes to
// it: a scene, see sceneOf, with { colours, second, width }. compute(part) gives data with { marks, top }, which
// is the same for the layout of the axis and for paint(context, plane, part, data).

/** Reads and writes for each pixel of the width from which they take turns, as they would hide one another. */
const DENSE = 2;

/** Most opaque boxes where there are some of several kinds. */
const MIXED_OPACITY = 0.7;

/** The same of cache pages, of which there are more kinds. */
const PAGES_OPACITY = 0.3;

/** Kinds of calls in the order in which they are drawn: later ones lie above. */
const CALL_KINDS = [
    { what: 'OTHER', label: 'other calls', opacity: 0.8 },
    { what: 'READ', label: 'reads', opacity: 0.55, lane: 0 },
    { what: 'WRITE', label: 'writes', opacity: 0.55, lane: 1 },
    { what: 'ASYNC_READ', label: 'asynchronous reads', opacity: 0.55, lane: 0 },
    { what: 'ASYNC_WRITE', label: 'asynchronous writes', opacity: 0.55, lane: 1 },
    { what: 'FAILED', label: 'failed', cross: true },
];

/** The same of pages. */
const PAGE_KINDS = [
    { what: 'PAGE_EVICTED', label: 'evicted', opacity: 0.9 },
    { what: 'PAGE_PREFETCHED', label: 'read ahead', opacity: 0.45, solid: true },
    { what: 'PAGE_DEMANDED', label: 'read on demand', opacity: 0.45, solid: true },
    { what: 'PAGE_PREPARED', label: 'made by writing', opacity: 0.45, solid: true },
    { what: 'PAGE_UNUSED', label: 'read ahead in vain', opacity: 0.6, solid: true },
    { what: 'PAGE_READING', label: 'being read', opacity: 0.35, form: 'frame' },
    { what: 'PAGE_WRITING', label: 'being written', opacity: 0.55, form: 'frame' },
    { what: 'PAGE_HIT', label: 'hits', opacity: 0.5, line: 1, form: 'line' },
    { what: 'PAGE_MISS', label: 'misses', opacity: 0.8, line: 2.5, form: 'thick' },
    { what: 'PAGE_WAIT', label: 'waits', opacity: 0.8 },
    { what: 'FAILED', label: 'failed', cross: true },
];

/**
 * Which lanes have marks in each column of 4 pixels: 1, 2, or 3 for both, where they would hide one another; null where
 * marks are too few for that.
 */
function lanesByColumn(plane, table, kinds, groups) {
    const isDense = [0, 1].every((lane) => d3.sum(kinds, (kind, index) =>
        (kind.lane === lane ? groups[index].length : 0)) > plane.width * DENSE);
    if (!isDense) {
        return null;
    }
    const lanes = new Uint8Array(Math.ceil(plane.width / 4) + 4);
    kinds.forEach((kind, index) => {
        if (kind.lane !== undefined) {
            for (const row of groups[index]) {
                const column = Math.floor(plane.x(table.start[row]) / 4);
                if (column >= 0 && column < lanes.length) {
                    lanes[column] |= 1 << kind.lane;
                }
            }
        }
    });
    return lanes;
}

/** Rows of a scene by kind, and all of them in their order; kindOf has -1 for series that are left out. */
function rowsByKind(scene, kindOf, kinds) {
    const { series } = scene.table;
    const counts = new Int32Array(kinds + 1);
    for (const row of scene.rows) {
        counts[kindOf[series[row]] + 1]++;
    }
    const groups = d3.range(kinds).map((kind) => new Int32Array(counts[kind + 1]));
    const rows = new Int32Array(scene.rows.length - counts[0]);
    const filled = new Int32Array(kinds);
    let count = 0;
    for (const row of scene.rows) {
        const kind = kindOf[series[row]];
        if (kind >= 0) {
            groups[kind][filled[kind]++] = row;
            rows[count++] = row;
        }
    }
    return { rows, groups };
}

/** Why a run has nothing at a stage at which another one has. */
function missingStage(run, stage) {
    const has = (wanted) => run.series.some((series) => series.stage === wanted);
    if (stage === 'SYSTEM') {
        return has('CACHE') ? 'requests to the system were not recorded in this run'
            : 'no cache in this run: the program\u2019s requests are the system\u2019s';
    }
    return stage !== 'CACHE' ? 'nothing of this in this run'
        : has('SYSTEM') ? 'no pages were recorded in this run' : 'no cache in this run';
}

/** Says how many marks lie outside of the offsets that are shown at first, which are those of what moved bytes. */
function beyond(part, rows) {
    if (part.view.o0 !== null) {
        return null;
    }
    const [o0, o1] = wholeRange();
    const { offset, offsetEnd } = part.table;
    let count = 0;
    for (const row of rows) {
        count += offset[row] > o1 || (offset[row] >= 0 && offsetEnd[row] < o0) ? 1 : 0;
    }
    return count === 0 ? null : formatCount(count) + (count === 1 ? ' mark' : ' marks') + ' of no bytes outside of these offsets';
}

/** A panel of one stage. */
function offsetPanel(name, title, stage, height, kinds) {
    const inPanel = (series) => series.stage === stage;
    const key = (kind) => name + '_' + kind.what;
    return {
        name, title, height, stage,
        axis: 'offset',
        time: true,
        has: (runs) => runs.some((run) => run.series.some(inPanel)),
        missing: (run) => missingStage(run, stage),
        legend: (runs) => kinds
            .filter((kind) => runs.some((run) => run.series.some((one) => inPanel(one) && one.what === WHAT[kind.what])))
            .map((kind) => ({ key: key(kind), label: kind.label, colour: kind.what, form: kind.cross ? 'cross' : kind.form || 'fill' })),
        compute(part) {
            const kindOf = Int8Array.from(part.run.series, (series) => (inPanel(series)
                ? kinds.findIndex((kind) => WHAT[kind.what] === series.what && !STATE.hidden.has(key(kind))) : -1));
            const { rows, groups } = rowsByKind(part, kindOf, kinds.length);
            return { rows, groups, marks: rows.length, top: 0, exact: allSingle(part.table, rows), detail: beyond(part, rows) };
        },
        paint(context, plane, part, data) {
            const { table } = part;
            let drawn = 0;
            const dense = lanesByColumn(plane, table, kinds, data.groups);
            // Boxes lie below all else; where several kinds have some, none hides the others.
            const boxed = kinds.map((kind, index) => !kind.cross
                && data.groups[index].some((row) => table.shape[row] === SHAPE.BOX));
            const mixed = boxed.filter((has) => has).length > 1;
            const most = !mixed ? 1 : stage === 'CACHE' ? PAGES_OPACITY : MIXED_OPACITY;
            kinds.forEach((kind, index) => {
                if (boxed[index]) {
                    drawn += paintBoxes(context, plane, table, data.groups[index], part.colours[kind.what], kind, most);
                }
            });
            kinds.forEach((kind, index) => {
                const own = data.groups[index];
                const colour = part.colours[kind.what];
                drawn += kind.cross
                    ? paintCrosses(context, plane, table, own, colour)
                    : paintMarks(context, plane, table, own, colour, kind, dense);
            });
            return drawn;
        },
    };
}

const OFFSET_PANELS = [
    offsetPanel('activity-program', 'File activity: program', 'PROGRAM', 230, CALL_KINDS),
    offsetPanel('activity-between', 'File activity: between layers', 'BETWEEN', 180, CALL_KINDS),
    offsetPanel('activity-system', 'File activity: system', 'SYSTEM', 230, CALL_KINDS),
];

const PAGES_PANEL = offsetPanel('pages', 'Cache pages', 'CACHE', 230, PAGE_KINDS);
