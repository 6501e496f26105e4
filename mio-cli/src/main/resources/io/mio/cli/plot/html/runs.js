// Which runs these are, what they moved in total, before and after, and notes on what the picture does not show.

const RUN_FIGURES = [
    ['elapsed', (run) => run.span, formatTime, 'less'],
    ['read by the program', (run, sum) => sum('PROGRAM', 'read_bytes'), formatBytes],
    ['written by the program', (run, sum) => sum('PROGRAM', 'write_bytes'), formatBytes],
    ['calls of the program', (run, sum) => sum('PROGRAM', 'reads') + sum('PROGRAM', 'writes') + sum('PROGRAM', 'others'),
        formatCount, 'less'],
    [() => (busyKnown() ? 'time with reads or writes under way' : 'sum of the calls\u2019 times'),
        (run, sum) => timeOf(run, sum), formatTime, 'less'],
    [() => (busyKnown() ? 'rate in this time' : 'bytes by this sum'),
        (run, sum) => (sum('PROGRAM', 'read_bytes') + sum('PROGRAM', 'write_bytes')) / timeOf(run, sum) * 1e9, formatRate, 'more'],
    ['requests to the system', (run, sum) => sum('SYSTEM', 'reads') + sum('SYSTEM', 'writes'), formatCount, 'less'],
    ['moved by the system', (run, sum) => sum('SYSTEM', 'read_bytes') + sum('SYSTEM', 'write_bytes'), formatBytes, 'less'],
    ['hits of pages', (run, sum) => sum('CACHE', 'hits') / (sum('CACHE', 'hits') + sum('CACHE', 'misses')), formatShare],
    ['waits for pages', (run, sum) => sum('CACHE', 'wait_nanos'), formatTime, 'less'],
    ['pages read or prepared ahead', (run, sum) => sum('CACHE', 'prefetched'), formatCount],
    ['of these in vain', (run, sum) => sum('CACHE', 'unused'), formatCount, 'less'],
    ['failed', (run, sum) => sum('PROGRAM', 'failed'), formatCount],
];

/** What a stage saw of a file. Without a cache and a trace below it, the program's calls are the system's. */
function totalsOf(file, stage) {
    const same = stage === 'SYSTEM' && !file.totals.SYSTEM && !file.totals.CACHE;
    return file.totals[same ? 'PROGRAM' : stage];
}

/** Files of a run that are chosen. */
function filesOf(run) {
    return run.files.filter((file, index) => STATE.chosen === null || STATE.chosen.has(run.fileKeys[index]));
}

/** Times in which anything was under way are known of single files and of all, as they overlap. */
function busyKnown() {
    return RUNS.every((run) => [0, 1, run.files.length].includes(filesOf(run).length));
}

/** Time in reads and writes of the program: what overlaps counts once where that is known. */
function timeOf(run, sum) {
    const files = filesOf(run);
    if (!busyKnown()) {
        return sum('PROGRAM', 'read_nanos') + sum('PROGRAM', 'write_nanos');
    }
    return files.length === run.files.length ? run.busy.PROGRAM || 0 : sum('PROGRAM', 'busy_nanos');
}

/** Some names say what the figure is of what is chosen. */
function nameOfFigure([words]) {
    return typeof words === 'function' ? words() : words;
}

/** Stages that a figure needs to be known. */
function stageSeen(run, words) {
    const text = nameOfFigure([words]);
    const stage = /page|ahead|vain/.test(text) ? 'CACHE' : /system/.test(text) ? 'SYSTEM' : null;
    return stage === null || run.files.some((file) => totalsOf(file, stage));
}

function figureOf(run, [words, of]) {
    if (!stageSeen(run, words)) {
        return NaN;
    }
    const files = filesOf(run);
    return of(run, (stage, name) => d3.sum(files, (file) => {
        const totals = totalsOf(file, stage);
        return totals ? totals[name] : 0;
    }));
}

function showRuns() {
    const host = document.getElementById('runs');
    const open = host.dataset.open === undefined ? RUNS.length > 1 : host.dataset.open === 'true';
    const shown = RUN_FIGURES.map((figure) => ({ figure, values: RUNS.map((run) => figureOf(run, figure)) }))
        .filter(({ values }) => values.some((value) => Number.isFinite(value) && value !== 0));
    const head = element('tr', {}, element('td', {}),
        ...shown.map(({ figure }) => element('th', { scope: 'col', text: nameOfFigure(figure) })));
    const rows = RUNS.map((run, index) => element('tr', {}, runHead(run, index),
        ...shown.map(({ figure, values }) => figureCell(run, figure, values[index]))));
    if (RUNS.length === 2) {
        rows.push(element('tr', { class: 'gain' }, element('th', { scope: 'row', text: 'gain' }),
            ...shown.map(({ figure, values }) => gainCell(figure, values))));
    }
    const button = element('button', { type: 'button', class: 'fold', 'aria-expanded': String(open) },
        RUNS.length === 2 ? 'Before and after' : 'Totals');
    button.addEventListener('click', () => {
        host.dataset.open = String(!open);
        showRuns();
        host.querySelector('button').focus();
    });
    const table = element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Totals' },
        element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)));
    table.hidden = !open;
    host.replaceChildren(element('div', { class: 'line' }, button, ...RUNS.map((run) => runLine(run))), table);
}

/** Whether what a run was seen to do is only a part of it. */
function isPart(run, figure) {
    // What was lost within the run does not make it longer.
    return run.sample > 1 || run.unread || (figure === RUN_FIGURES[0] ? run.untimed : run.dropped) > 0;
}

/** What adds up is at least what was recorded; of rates and shares nobody knows. */
function figureCell(run, figure, value) {
    const format = figure[2];
    if (!Number.isFinite(value)) {
        return element('td', { text: '-' });
    }
    const least = isPart(run, figure) && format !== formatRate && format !== formatShare;
    return element('td', least ? { text: '\u2265\u202f' + format(value), title: 'not all of this run was recorded' }
        : { text: format(value) });
}

function gainCell(figure, values) {
    if (RUNS.some((run) => isPart(run, figure))) {
        return element('td', { text: '-', title: 'not all of both runs was recorded' });
    }
    const better = figure[3];
    const gain = better === 'less' ? values[0] / values[1] : better === 'more' ? values[1] / values[0] : NaN;
    return element('td', { class: gain > 1.05 ? 'better' : gain < 0.95 ? 'worse' : '', text: formatRatio(gain) });
}

function runLine(run) {
    const when = new Date(run.header.realtime_ms);
    const text = [formatTime(run.span), formatCount(run.events) + (run.events === 1 ? ' event' : ' events'), run.header.host,
        Number.isFinite(when.getTime()) ? when.toISOString().slice(0, 19).replace('T', ' ') + ' UTC' : ''];
    const overlaid = STATE.layout === 'overlay' && STATE.shown.length > 1;
    const mark = overlaid && STATE.shown.length > 2 ? runMark(run) : overlaid ? element('span', { class: 'line-mark' + (STATE.shown[0] === run.index ? '' : ' second'),
        title: STATE.shown[0] === run.index ? 'lighter, solid' : 'in stronger tints, dashed' }) : null;
    return element('span', { class: 'run' }, mark, element('strong', {}, nameElement(run.label, 60)),
        ' ', nameElement(run.header.program, 40), element('span', { class: 'muted', text: ' ' + text.filter((t) => t).join(', ') }));
}

/** A piece of the line that a run of many has in curves. */
function runMark(run) {
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    mark.setAttribute('class', 'run-mark');
    mark.setAttribute('aria-hidden', 'true');
    const shown = STATE.shown.includes(run.index);
    d3.select(mark).attr('width', 34).attr('height', 10).append('line').attr('x2', 34).attr('y1', 5).attr('y2', 5)
        .attr('stroke-width', shown ? 3 : 0).attr('stroke', runColours(RENDER.colours, run.index).READ)
        .attr('stroke-dasharray', RUN_DASHES[run.index % RUN_DASHES.length].join(' ') || null);
    return mark;
}

function runHead(run, index) {
    const label = nameElement(run.label, 40);
    if (RUNS.length < 3) {
        return element('th', { scope: 'row' }, label);
    }
    const box = element('input', { type: 'checkbox', 'aria-label': 'Show run ' + run.label });
    box.checked = STATE.shown.includes(index);
    box.addEventListener('change', () => {
        const shown = new Set(STATE.shown);
        toggle(shown, index);
        if (shown.size > 0) {
            showOnly(Array.from(shown).sort(d3.ascending));
        }
        changed('layout');
    });
    return element('th', { scope: 'row' }, element('label', {}, box, ' ', label));
}

/** Shows these runs; each keeps the window it has, one that comes back gets that of the first. */
function showOnly(runs) {
    if (!STATE.linked) {
        const views = new Map(STATE.shown.map((run, column) => [run, viewOf(column)]));
        STATE.views = runs.map((run) => (views.get(run) || viewOf(0)).copy());
        // Its windows are those of columns, which are other runs now.
        HISTORY.length = 0;
    }
    STATE.shown = runs;
}

/** Notes on all that is binned, sampled or dropped. */
function showNotes() {
    const host = document.getElementById('notes');
    const items = [];
    if (RUNS.length > 1) {
        items.push(element('li', {}, 'The runs are laid so that they begin together: times on the axis are since the first event of'
            + ' each run. As mio events has them, ', ...RUNS.flatMap((run, index) => [index > 0 ? ', ' : '',
            nameElement(run.label, 40), ' begins at ' + formatMoment(run.begin)]), '.'));
    }
    RUNS.forEach((run) => {
        if (run.losses.length > 0) {
            items.push(noteOf(run, 'Hatched bands: times in which events could not be recorded.'));
        }
        run.notes.forEach((note) => items.push(noteOf(run, note)));
    });
    host.replaceChildren(...(items.length === 0 ? [] : [element('ul', {}, ...items)]));
    host.hidden = items.length === 0;
}

function noteOf(run, text) {
    return element('li', {}, ...(RUNS.length > 1 ? [element('b', {}, nameElement(run.label, 40)), ' '] : []),
        element('bdi', { text }));
}
