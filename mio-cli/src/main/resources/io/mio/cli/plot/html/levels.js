// Which marks of which level are drawn: the finest level whose marks in the window are not too many.

/** Marks in a window that a browser draws at once. */
const MARKS_FINE = 60000;

/** The same while somebody drags or turns the wheel. */
const MARKS_QUICK = 12000;

/** For each series of a run 1 if its file is chosen. */
function keptSeries(run, chosen) {
    return Uint8Array.from(run.series, (series) => (chosen === null || chosen.has(series.key) ? 1 : 0));
}

/** Rows of the marks in a window in the order of their starts; null if there are more than so many. */
function rowsWithin(table, keep, from, to, most) {
    const last = d3.bisectRight(table.start, to);
    const rows = new Int32Array(Math.min(last, most));
    let count = 0;
    for (let block = 0; block * PER_BLOCK < last; block++) {
        if (table.blockEnd[block] < from) {
            continue;
        }
        const end = Math.min(last, (block + 1) * PER_BLOCK);
        for (let row = block * PER_BLOCK; row < end; row++) {
            if (table.end[row] >= from && keep[table.series[row]]) {
                if (count === most) {
                    return null;
                }
                rows[count++] = row;
            }
        }
    }
    return rows.subarray(0, count);
}

/**
 * What is drawn of a run: { run, table, rows, keep, from, to }. Levels that are not loaded yet are passed over.
 */
function sceneOf(run, chosen, from, to, most) {
    const keep = keptSeries(run, chosen);
    const loaded = run.tables.filter((table) => table !== null);
    for (let at = loaded.length - 1; at >= 0; at--) {
        const rows = rowsWithin(loaded[at], keep, from, to, at === 0 ? Infinity : most);
        if (rows !== null) {
            return { run, table: loaded[at], rows, keep, from, to };
        }
    }
    return null;
}

/** Rows of a scene whose series fit. */
function rowsWhere(scene, fits) {
    const wanted = Uint8Array.from(scene.run.series, (series) => (fits(series) ? 1 : 0));
    return scene.rows.filter((row) => wanted[scene.table.series[row]]);
}

/** What a level shows, in words. */
function levelWords(table) {
    if (table.exact) {
        return 'every event';
    }
    return 'merged below ' + formatTime(table.timeStep) + ' \u00d7 ' + formatBytes(table.offsetStep);
}

/** Whether all rows stand for single events. */
function allSingle(table, rows) {
    if (table.exact) {
        return true;
    }
    for (let i = 0; i < rows.length; i++) {
        if (table.shape[rows[i]] !== SHAPE.EVENT) {
            return false;
        }
    }
    return true;
}
