// What is looked at: windows, files, panels, mode; where it was before; and its form in a link.

/** Least width of a window, nanoseconds, and height, bytes. */
const LEAST_SPAN = 20;
const LEAST_RANGE = 64;

/** Share of the offsets below them, where calls without an offset are shown. */
const ROOM_BELOW = 0.045;

/** Window of a column: times in nanoseconds, see BEGIN; offsets null: all that was touched. */
class View {
    constructor(t0, t1, o0, o1) {
        Object.assign(this, { t0, t1, o0, o1 });
    }

    static whole() {
        return new View(BEGIN, END, null, null);
    }

    copy() {
        return new View(this.t0, this.t1, this.o0, this.o1);
    }
}

const STATE = {
    views: [View.whole()],
    linked: true,
    layout: META.layout === 'overlay' ? 'overlay' : 'side',
    shown: RUNS.map((run, index) => index),
    chosen: null,
    folded: new Set(),
    hidden: new Set(),
    stages: {},
    forms: {},
    theme: META.theme,
    mode: 'zoom',
    slope: null,
};

/** Views that were left, the last one at the end. */
const HISTORY = [];
const HISTORY_MOST = 200;

/** Called after each change; registered by those who draw. */
const LISTENERS = [];

function changed(kind) {
    LISTENERS.forEach((listener) => listener(kind));
}

/** The window of a column. */
function viewOf(column) {
    return STATE.views[STATE.linked ? 0 : Math.min(column, STATE.views.length - 1)];
}

/** Runs of each column. */
function columnsOfRuns() {
    if (STATE.layout === 'side' && STATE.shown.length > 1) {
        return STATE.shown.map((index) => [RUNS[index]]);
    }
    return [STATE.shown.map((index) => RUNS[index])];
}

/** What the runs that are shown have of the files that are chosen. */
function chosenFiles() {
    return FILES.filter((file, key) => STATE.chosen === null || STATE.chosen.has(key))
        .flatMap((file) => file.of.filter((one, run) => one !== null && STATE.shown.includes(run)));
}

/**
 * Offsets between which anything was moved, with a little room around them. They begin with 0, which says more, unless
 * that makes them much longer.
 */
function wholeRange() {
    const files = chosenFiles().filter((file) => file.touched_end > file.touched_begin);
    const some = files.length > 0 ? files : chosenFiles();
    const least = d3.min(some, (file) => file.touched_begin) || 0;
    const end = Math.max(d3.max(some, (file) => file.touched_end) || 0, LEAST_RANGE);
    const begin = least > end / 2 ? Math.min(least, end - LEAST_RANGE) : 0;
    const height = end - begin;
    return [begin - height * ROOM_BELOW, end + height * 0.02];
}

/** All that can be zoomed out to: the files as large as they are, and what lies behind their ends. */
function widestRange() {
    const [least, most] = wholeRange();
    const end = d3.max(chosenFiles(), (file) => Math.max(file.size, file.touched_end)) || 0;
    return [Math.min(least, -end * ROOM_BELOW), Math.max(most, end * 1.02)];
}

/** Offsets that a column shows. */
function rangeOf(view) {
    return view.o0 === null ? wholeRange() : [view.o0, view.o1];
}

/** What history keeps. */
function snapshot() {
    return { views: STATE.views.map((view) => view.copy()), chosen: STATE.chosen === null ? null : new Set(STATE.chosen) };
}

/** Keeps what is shown now, for Zoom out; call before a change. */
function remember() {
    HISTORY.push(snapshot());
    if (HISTORY.length > HISTORY_MOST) {
        HISTORY.shift();
    }
}

/** Back to the view before; without one the window gets twice as wide. */
function zoomBack() {
    const before = HISTORY.pop();
    if (before === undefined) {
        STATE.views.forEach((view) => stretch(view, 2, 0.5));
    } else {
        STATE.views = before.views;
        STATE.chosen = before.chosen;
    }
    changed('view');
}

/** Sets a column's window; offsets may be left out. */
function setWindow(column, t0, t1, o0, o1) {
    const view = viewOf(column);
    [view.t0, view.t1] = fittedTime(t0, t1);
    if (o0 !== undefined) {
        setRange(view, o0, o1);
    }
    changed('view');
}

function setRange(view, o0, o1) {
    if (o0 === null) {
        view.o0 = null;
        view.o1 = null;
        return;
    }
    const [least, most] = widestRange();
    [view.o0, view.o1] = fitted(o0, o1, LEAST_RANGE, least, most);
}

/** A range that is wide enough and lies between two ends. */
function fitted(from, to, least, begin, end) {
    const width = Math.min(Math.max(to - from, least), end - begin);
    let start = from + (to - from) / 2 - width / 2;
    start = Math.max(begin, Math.min(start, end - width));
    return [start, start + width];
}

/** The same of times: a little more than all there are. */
function fittedTime(t0, t1) {
    return fitted(t0, t1, LEAST_SPAN, BEGIN - SPAN * 0.02, END + SPAN * 0.02);
}

/** Makes a window so many times as wide around a point at a share of it. */
function stretch(view, factor, share) {
    const at = view.t0 + (view.t1 - view.t0) * share;
    const width = (view.t1 - view.t0) * factor;
    if (width >= SPAN * 1.04) {
        [view.t0, view.t1] = [BEGIN, END];
    } else {
        [view.t0, view.t1] = fittedTime(at - width * share, at + width * (1 - share));
    }
}

/** The same for offsets. */
function stretchRange(view, factor, share) {
    const [o0, o1] = rangeOf(view);
    const at = o0 + (o1 - o0) * share;
    const height = (o1 - o0) * factor;
    const whole = wholeRange();
    const wide = widestRange();
    if (height >= wide[1] - wide[0] && wide[0] === whole[0] && wide[1] === whole[1]) {
        setRange(view, null);
    } else {
        setRange(view, at - height * share, at + height * (1 - share));
    }
}

/** Moves a window by shares of its width and height. */
function move(view, times, heights) {
    const dt = (view.t1 - view.t0) * times;
    [view.t0, view.t1] = fittedTime(view.t0 + dt, view.t1 + dt);
    if (heights !== 0 && view.o0 !== null) {
        const d = (view.o1 - view.o0) * heights;
        setRange(view, view.o0 + d, view.o1 + d);
    }
}

/** Everything, as at first. */
function resetViews() {
    STATE.views = STATE.views.map(() => View.whole());
    changed('view');
}

function toggle(set, item) {
    if (!set.delete(item)) {
        set.add(item);
    }
}

/** The state as text for a link. */
function encodeState() {
    const parts = [];
    const views = STATE.linked ? STATE.views.slice(0, 1) : STATE.views;
    const pairs = (of) => views.map(of).join(';');
    if (views.some((view) => view.t0 !== BEGIN || view.t1 !== END)) {
        parts.push('t=' + pairs((view) => rounded(view.t0) + ',' + rounded(view.t1)));
    }
    if (views.some((view) => view.o0 !== null)) {
        parts.push('o=' + pairs((view) => (view.o0 === null ? '' : rounded(view.o0) + ',' + rounded(view.o1))));
    }
    const lists = { f: STATE.chosen, fold: STATE.folded, hide: STATE.hidden };
    for (const [key, set] of Object.entries(lists)) {
        if (set !== null && (set.size > 0 || key === 'f')) {
            parts.push(key + '=' + Array.from(set).sort().join(','));
        }
    }
    for (const [key, map] of Object.entries({ stage: STATE.stages, form: STATE.forms })) {
        if (Object.keys(map).length > 0) {
            parts.push(key + '=' + Object.entries(map).map(([name, value]) => name + '.' + value).join(','));
        }
    }
    if (RUNS.length > 1) {
        parts.push('layout=' + STATE.layout, 'linked=' + (STATE.linked ? 1 : 0));
        if (STATE.shown.length < RUNS.length) {
            parts.push('r=' + STATE.shown.join(','));
        }
    }
    if (STATE.theme) {
        parts.push('theme=' + STATE.theme);
    }
    if (STATE.mode !== 'zoom') {
        parts.push('mode=' + STATE.mode);
    }
    if (STATE.slope !== null) {
        const s = STATE.slope;
        parts.push('s=' + [s.column, s.panel, rounded(s.t0), rounded(s.o0), rounded(s.t1), rounded(s.o1)].join(','));
    }
    return parts.join('&');
}

function rounded(value) {
    return Math.round(value);
}

/** Takes the state from a link; what is not understood is left as it is at first. */
function decodeState(text) {
    const given = new Map(text.replace(/^#/, '').split('&').map((part) => {
        const at = part.indexOf('=');
        return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    }));
    const numbers = (part) => part.split(',').filter((word) => word !== '').map(Number)
        .filter((value) => Number.isFinite(value));
    const names = (key) => (given.get(key) || '').split(',').filter((name) => /^[a-zA-Z_-]+$/.test(name));
    const pairs = (key) => Object.fromEntries((given.get(key) || '').split(',').map((pair) => pair.split('.'))
        .filter((pair) => pair.length === 2 && pair.every((name) => /^[a-zA-Z_-]+$/.test(name))));
    STATE.linked = given.get('linked') !== '0';
    STATE.layout = ['side', 'overlay'].includes(given.get('layout')) ? given.get('layout') : META.layout || 'side';
    const runs = given.has('r') ? numbers(given.get('r')).filter((index) => RUNS[index] !== undefined) : [];
    STATE.shown = runs.length > 0 ? Array.from(new Set(runs)) : RUNS.map((run, index) => index);
    const files = numbers(given.get('f') || '').filter((key) => FILES[key] !== undefined);
    STATE.chosen = files.length > 0 ? new Set(files) : null;
    STATE.folded = new Set(names('fold'));
    STATE.hidden = new Set(names('hide'));
    STATE.stages = pairs('stage');
    STATE.forms = pairs('form');
    STATE.theme = ['light', 'dark'].includes(given.get('theme')) ? given.get('theme') : META.theme;
    STATE.mode = given.get('mode') === 'slope' ? 'slope' : 'zoom';
    STATE.slope = decodeSlope((given.get('s') || '').split(','));
    const times = (given.get('t') || '').split(';').map(numbers);
    const ranges = (given.get('o') || '').split(';').map(numbers);
    STATE.views = (STATE.linked ? [0] : STATE.shown).map((ignored, column) => {
        const view = View.whole();
        const time = times[column] || [];
        const range = ranges[column] || [];
        if (time.length === 2 && time[0] < time[1]) {
            [view.t0, view.t1] = fittedTime(time[0], time[1]);
        }
        if (range.length === 2 && range[0] < range[1]) {
            setRange(view, range[0], range[1]);
        }
        return view;
    });
    HISTORY.length = 0;
}

function decodeSlope(parts) {
    const values = parts.slice(2).map(Number);
    if (parts.length !== 6 || !/^[a-z-]+$/.test(parts[1]) || !values.every((value) => Number.isFinite(value))) {
        return null;
    }
    return { column: Number(parts[0]) || 0, panel: parts[1], t0: values[0], o0: values[1], t1: values[2], o1: values[3] };
}

let linkTimer = 0;
let knownHash = '';

/** Takes the state from the address; false where the address says nothing that is not on show. */
function readAddress() {
    if (location.hash === knownHash) {
        return false;
    }
    knownHash = location.hash;
    if (knownHash.replace(/^#/, '') === encodeState()) {
        return false;
    }
    decodeState(knownHash);
    return true;
}

/** Puts the state into the address, a moment after the last change. */
function noteInAddress() {
    clearTimeout(linkTimer);
    linkTimer = setTimeout(writeAddress, 150);
}

function writeAddress() {
    clearTimeout(linkTimer);
    if (location.hash !== knownHash) {
        // Somebody has changed it, and the event that says so is on its way.
        return;
    }
    const text = encodeState();
    if (location.hash.replace(/^#/, '') !== text) {
        try {
            history.replaceState(null, '', '#' + text);
        } catch (e) {
            location.hash = text;
        }
        knownHash = location.hash;
    }
}
