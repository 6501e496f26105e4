// What the page carries: runs as JSON, their marks and distributions as packed columns.

/** A run is { index, label, header, span, files, series, levels, losses, notes, ...} as PageMeta writes it. */
const META = JSON.parse(document.getElementById('meta').textContent);
const RUNS = META.runs;
const WHATS = META.whats;
const WHAT = {};
WHATS.forEach((what, index) => {
    WHAT[what.name] = index;
});
const SHAPE = { EVENT: META.shapes.indexOf('EVENT'), LINE: META.shapes.indexOf('LINE'), BOX: META.shapes.indexOf('BOX') };
const STAGES = ['PROGRAM', 'BETWEEN', 'SYSTEM'];
const SHAPES = 4;
const PER_BLOCK = 256;

/** Names of files over all runs; a file of one run is that of the same name in another one. */
const FILES = [];

/** Directory that all files are in, which their short names leave out; may be empty. */
let directory = '';

/** Longest of the runs, nanoseconds. */
const SPAN = Math.max(1, ...RUNS.map((run) => run.span));

/**
 * Where the time axis begins and ends, nanoseconds. Of one run it counts from the file's time zero, as mio events does.
 * Several are laid so that they begin together, at 0: see ownTime.
 */
const BEGIN = RUNS.length === 1 ? RUNS[0].begin : 0;
const END = BEGIN + SPAN;

/** A moment of the axis as the run's events file has it. */
function ownTime(run, t) {
    return t - BEGIN + run.begin;
}

(function prepare() {
    const byName = new Map();
    RUNS.forEach((run, index) => {
        run.index = index;
        run.tables = run.levels.map(() => null);
        run.fileKeys = run.files.map((file) => {
            const name = (file.others ? '1' : '0') + file.path;
            if (!byName.has(name)) {
                byName.set(name, FILES.length);
                FILES.push({ name: file.path, others: file.others, of: RUNS.map(() => null) });
            }
            FILES[byName.get(name)].of[index] = file;
            return byName.get(name);
        });
        run.losses = run.losses.map(([start, end, events]) => [start + BEGIN, end + BEGIN, events]);
        run.series = run.series.map(([file, stage, what]) => ({ file, key: run.fileKeys[file], stage, what }));
    });
    // All files in one directory need not say so each.
    const paths = FILES.filter((file) => !file.others).map((file) => file.name);
    const cut = paths.length < 2 ? 0 : commonDirectory(paths);
    directory = cut > 1 ? paths[0].slice(0, cut) : '';
    FILES.forEach((file) => {
        file.short = file.others ? file.name : file.name.slice(directory.length);
    });
})();

/** Characters of the directory that all paths begin with. */
function commonDirectory(paths) {
    let common = paths[0].slice(0, paths[0].lastIndexOf('/') + 1);
    for (const path of paths) {
        while (!path.startsWith(common)) {
            common = common.slice(0, common.slice(0, -1).lastIndexOf('/') + 1);
        }
    }
    return common.length;
}

/** Lets the browser draw and answer before work goes on. */
function pause() {
    return new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = resolve;
        channel.port2.postMessage(0);
    });
}

/** Bytes of a block of the page, unpacked; the text is given up. */
async function unpack(id) {
    const element = document.getElementById(id);
    const text = element.textContent;
    element.remove();
    const slice = 1 << 20;
    const parts = [];
    for (let at = 0; at < text.length; at += slice) {
        const raw = atob(text.slice(at, at + slice));
        const part = new Uint8Array(raw.length);
        for (let i = 0; i < raw.length; i++) {
            part[i] = raw.charCodeAt(i);
        }
        parts.push(part);
        await pause();
    }
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads columns one after the other. */
class ColumnReader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
        this.rows = this.next();
    }

    /** The number at the place reached: sign in the lowest bit of the first byte, magnitude above it. */
    next() {
        const first = this.bytes[this.at++];
        let magnitude = (first & 0x7f) >> 1;
        if (first >= 0x80) {
            let weight = 64;
            let byte;
            do {
                byte = this.bytes[this.at++];
                magnitude += (byte & 0x7f) * weight;
                weight *= 128;
            } while (byte >= 0x80);
        }
        return first & 1 ? -magnitude : magnitude;
    }

    /** The next column, into an array that is made for it. */
    async read(array) {
        const made = new array(this.rows);
        for (let row = 0; row < this.rows; row++) {
            made[row] = this.next();
            if ((row & 0xffff) === 0xffff) {
                await pause();
            }
        }
        await pause();
        return made;
    }

    /** The same of differences. */
    async sums(array) {
        const made = await this.read(array);
        for (let row = 1; row < made.length; row++) {
            made[row] += made[row - 1];
        }
        return made;
    }
}

/** Marks of a level as columns, in the order of their starts. */
async function loadLevel(run, index) {
    const reader = new ColumnReader(await unpack('level-' + run.index + '-' + index));
    const [timeStep, offsetStep] = run.levels[index];
    const table = { index, size: reader.rows, timeStep, offsetStep, exact: timeStep === 0 && offsetStep === 0 };
    const kinds = await reader.read(Uint32Array);
    table.start = await reader.sums(Float64Array);
    table.end = await reader.read(Float64Array);
    table.offset = await reader.read(Float64Array);
    table.offsetEnd = await reader.read(Float64Array);
    table.events = await reader.read(Float64Array);
    table.bytes = await reader.read(Float64Array);
    table.busy = await reader.read(Float64Array);
    table.longest = await reader.read(Float64Array);
    table.thread = await reader.sums(Float64Array);
    table.code = await reader.read(Uint8Array);
    table.requested = await reader.read(Float64Array);
    table.errno = await reader.read(Int32Array);
    table.number = await reader.read(Float64Array);
    table.process = await reader.sums(Float64Array);
    await restore(run, table, kinds);
    run.tables[index] = table;
    return table;
}

/** Turns what the columns hold into what they stand for; see MarkColumns. */
async function restore(run, table, kinds) {
    const lastEnd = new Float64Array(run.series.length);
    const lastNumber = new Float64Array(run.series.length);
    table.series = new Uint32Array(table.size);
    table.shape = new Uint8Array(table.size);
    table.blockEnd = new Float64Array(Math.ceil(table.size / PER_BLOCK));
    for (let row = 0; row < table.size; row++) {
        const series = Math.floor(kinds[row] / SHAPES);
        const single = kinds[row] % SHAPES === SHAPE.EVENT;
        const duration = table.end[row];
        table.series[row] = series;
        table.shape[row] = kinds[row] % SHAPES;
        table.start[row] += BEGIN;
        table.end[row] = table.start[row] + duration;
        table.offset[row] += lastEnd[series];
        const length = table.offsetEnd[row];
        table.offsetEnd[row] = table.offset[row] < 0 ? -1 : table.offset[row] + length;
        lastEnd[series] = table.offset[row] + length;
        table.events[row] += 1;
        table.bytes[row] += Math.abs(length);
        table.busy[row] += duration;
        table.longest[row] += table.busy[row];
        if (single) {
            table.requested[row] += table.bytes[row];
            table.number[row] += lastNumber[series];
            lastNumber[series] = table.number[row];
        } else {
            table.requested[row] = -1;
        }
        const block = Math.floor(row / PER_BLOCK);
        table.blockEnd[block] = Math.max(table.blockEnd[block], table.end[row]);
        if ((row & 0xffff) === 0xffff) {
            await pause();
        }
    }
}

/** Counts of a distribution as columns, and the length of its time bins. */
async function loadCounts(run, name) {
    const reader = new ColumnReader(await unpack(name + '-' + run.index));
    run[name] = {
        binNanos: run[name + '_bin'],
        size: reader.rows,
        series: await reader.sums(Uint32Array),
        bin: await reader.sums(Int32Array),
        bucket: await reader.sums(Int32Array),
        events: await reader.read(Float64Array),
    };
}
