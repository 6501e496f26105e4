// Buttons, keys, help, and the link.

const ACTIONS = {
    'files': { label: 'Files', key: 'f', help: 'list of files; filter', run: () => toggleFiles() },
    'zoom-in': { label: 'Zoom in', key: '+', help: 'half the time around the middle', run: () => zoomTime(0.5) },
    'zoom-out': { label: 'Zoom out', key: '\u232b', help: 'back to the view before', run: () => zoomBack() },
    'rescale': { label: 'Rescale', key: 'r', help: 'offsets from the least to the largest visible', run: () => rescale() },
    'reset': { label: 'Reset', key: '0', help: 'all of the run (or Home)', run: () => resetAll() },
    'slope': { label: 'Slope', key: 's', help: 'draw a line, read its rate (or drag with Alt)', run: () => toggleSlope() },
    'layout': { label: 'Overlay', key: 'o', help: 'two runs: side by side, or one over the other', run: () => toggleLayout() },
    'linked': { label: 'Linked', key: 'k', help: 'side by side: one window for all, or one for each', run: () => toggleLinked() },
    'link': { label: 'Link', key: 'l', help: 'copy a link to this view', run: () => copyLink() },
    'theme': { label: 'Theme', key: 't', help: 'light or dark', run: () => toggleTheme() },
    'print': { label: 'Print', key: 'p', help: 'print, or save as PDF', run: () => window.print() },
    'help': { label: 'Help', key: '?', help: 'this', run: () => showHelp() },
};

const OTHER_KEYS = [
    ['\u2212', 'twice the time'],
    ['\u2190 \u2192', 'earlier, later'],
    ['\u2191 \u2193', 'higher, lower offsets, with a panel of offsets in focus'],
    ['i u', 'zoom offsets in, out'],
    [', .', 'event before, event after, with a panel in focus'],
    ['Esc', 'end what was begun; remove the line'],
    ['drag', 'zoom in; in panels of offsets both ways'],
    ['wheel', 'zoom time at the pointer; with Ctrl or Shift offsets; with Alt scroll'],
    ['middle drag', 'move'],
];

function buildToolbar() {
    const host = document.getElementById('toolbar');
    const title = element('h1', {}, element('bdi', { text: META.title }));
    host.append(title);
    for (const [name, action] of Object.entries(ACTIONS)) {
        if ((name === 'layout' || name === 'linked') && RUNS.length < 2) {
            continue;
        }
        const button = element('button', { type: 'button', 'data-action': name, title: action.help + ' (' + action.key + ')' },
            action.label);
        button.addEventListener('click', () => action.run());
        host.append(button);
    }
    document.addEventListener('keydown', keyDown);
}

function showToolbar() {
    const set = (name, attribute, value) => {
        const button = document.querySelector('[data-action=' + name + ']');
        if (button !== null) {
            button.setAttribute(attribute, String(value));
        }
    };
    set('slope', 'aria-pressed', STATE.mode === 'slope');
    set('layout', 'aria-pressed', STATE.layout === 'overlay');
    set('linked', 'aria-pressed', STATE.linked);
    const linked = document.querySelector('[data-action=linked]');
    if (linked !== null) {
        linked.hidden = STATE.layout === 'overlay' || STATE.shown.length < 2;
    }
    document.body.classList.toggle('slope-mode', STATE.mode === 'slope');
    showWindowWords();
}

function showWindowWords() {
    const view = viewOf(activeColumn);
    document.getElementById('window').textContent = formatWithin(Math.max(BEGIN, view.t0), view.t0, view.t1)
        + ' \u2013 ' + formatWithin(view.t1, view.t0, view.t1)
        + ' (' + formatTime(view.t1 - view.t0) + ')' + (RUNS.length > 1 ? ' since the first event of each run' : '');
    const tables = Array.from(new Set(RENDER.scenes.flat().map((scene) => scene.table)));
    const merged = tables.filter((table) => !table.exact);
    const level = document.getElementById('level');
    const command = commandOf(view);
    level.replaceChildren(tables.length === 0 ? '' : merged.length === 0 ? 'every event is drawn'
        : 'this window shows marks of several events, ' + Array.from(new Set(merged.map(levelWords))).join('; '));
    if (command !== null) {
        const button = element('button', { type: 'button', class: 'command', title: 'Copy this command', text: command });
        button.addEventListener('click', () => copy(command, 'Command copied'));
        level.append('; each of them: ', button);
    }
    level.classList.toggle('merged', merged.length > 0);
}

/** Room around the window in the command, in shares of it. */
const ROOM = 0.02;

/** The command that shows every event of the window, once the page has no finer marks; else null. */
function commandOf(view) {
    const scene = RENDER.scenes.flat().find((one) => one.table === finestOf(one.run) && !one.table.exact);
    if (META.filter === null || scene === undefined || !loaded || view.t1 - view.t0 > scene.run.span * 0.9) {
        return null;
    }
    const { run } = scene;
    const { source } = run;
    const room = (view.t1 - view.t0) * ROOM;
    const seconds = (t) => (Math.max(0, ownTime(run, t)) / 1e9).toFixed(9).replace(/0+$/, '').replace(/\.$/, '') + 's';
    return 'mio plot ' + (source === null ? 'FILE' : quoted(source)) + (META.filter === '' ? '' : ' ' + META.filter)
        + ' --from ' + seconds(view.t0 - room) + ' --to ' + seconds(view.t1 + room);
}

/** A word for a shell, which takes it as it is. */
function quoted(word) {
    const safe = word.startsWith('-') ? './' + word : word;
    return /^[\w.\/+,:@%-]+$/.test(safe) ? safe : "'" + safe.replace(/'/g, "'\\''") + "'";
}

function zoomTime(factor) {
    remember();
    const view = viewOf(activeColumn);
    stretch(view, factor, 0.5);
    changed('view');
}

/** Offsets from the least to the largest that is visible. */
function rescale() {
    remember();
    RENDER.columns.forEach((column) => {
        const extent = extentOf(STATE.linked ? RENDER.columns : [column], true);
        if (extent !== null) {
            const pad = Math.max((extent[1] - extent[0]) * 0.03, 16);
            setRange(viewOf(column.index), extent[0] - pad * 1.5, extent[1] + pad);
        }
    });
    changed('view');
}

function extentOf(columns, moved) {
    let least = Infinity;
    let most = -Infinity;
    columns.flatMap((column) => column.panels).forEach((panel) => {
        if (panel.spec.axis !== 'offset' || panel.shown === null) {
            return;
        }
        panel.shown.parts.forEach((part, i) => panel.shown.datas[i].rows.forEach((row) => {
            const { table } = part;
            if (table.offset[row] >= 0 && (!moved || table.bytes[row] > 0)) {
                least = Math.min(least, table.offset[row], table.offsetEnd[row]);
                most = Math.max(most, table.offset[row], table.offsetEnd[row]);
            }
        }));
    });
    // What has a place and moved nothing, as a read behind the end, counts only if there is nothing else.
    return most >= least ? [least, most] : moved ? extentOf(columns, false) : null;
}

function resetAll() {
    remember();
    resetViews();
}

function toggleSlope() {
    STATE.mode = STATE.mode === 'slope' ? 'zoom' : 'slope';
    announce(STATE.mode === 'slope' ? 'Slope: draw a line in a panel of offsets' : 'Zoom');
    RENDER.columns.forEach((column) => column.panels.forEach((panel) => {
        panel.crossFrom = null;
        showCross(panel);
    }));
    changed('mode');
}

function toggleLayout() {
    STATE.layout = STATE.layout === 'overlay' ? 'side' : 'overlay';
    if (STATE.layout === 'overlay') {
        STATE.linked = true;
    }
    changed('layout');
}

function toggleLinked() {
    STATE.linked = !STATE.linked;
    STATE.views = STATE.linked ? [viewOf(activeColumn).copy()] : RENDER.columns.map(() => STATE.views[0].copy());
    HISTORY.length = 0;
    changed('layout');
}

function toggleTheme() {
    STATE.theme = themeInUse() === 'dark' ? 'light' : 'dark';
    changed('theme');
}

/** The view as a link, in the clipboard. */
function copyLink() {
    writeAddress();
    return copy(location.href, 'Link copied');
}

/** Puts text into the clipboard, or where that is not allowed into a box to copy from. */
async function copy(text, done) {
    try {
        await navigator.clipboard.writeText(text);
        announce(done);
        flash(done);
    } catch (e) {
        const dialog = document.getElementById('link-dialog');
        const input = element('input', { type: 'text', readonly: true, 'aria-label': 'Text to copy' });
        input.value = text;
        dialog.replaceChildren(element('h2', { id: 'link-title' }, 'Copy this'), input, closeButton(dialog));
        dialog.showModal();
        input.select();
    }
}

let flashTimer = 0;

function flash(text) {
    const level = document.getElementById('window');
    level.textContent = text;
    clearTimeout(flashTimer);
    flashTimer = setTimeout(showWindowWords, 1500);
}

function closeButton(dialog) {
    const button = element('button', { type: 'button', class: 'done' }, 'Close');
    button.addEventListener('click', () => dialog.close());
    return button;
}

function showHelp() {
    const dialog = document.getElementById('help');
    const list = element('dl', {});
    const entries = Object.entries(ACTIONS).filter(([name]) => document.querySelector('[data-action=' + name + ']'))
        .map(([, action]) => [action.key, action.label + ': ' + action.help]).concat(OTHER_KEYS);
    for (const [key, words] of entries) {
        list.append(element('dt', {}, element('kbd', { text: key })), element('dd', { text: words }));
    }
    dialog.replaceChildren(element('h2', { id: 'help-title' }, 'Keys and gestures'), list,
        element('p', { class: 'muted' }, 'Offset against time: the slope of a line is a rate. What the program asked for is'
            + ' above, what reached the system below.'), closeButton(dialog));
    dialog.showModal();
}

function focusedPanel() {
    const canvas = document.activeElement;
    return RENDER.columns.flatMap((column) => column.panels).find((panel) => panel.canvas === canvas);
}

function keyDown(event) {
    const tag = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) {
        return;
    }
    if (event.key === 'Escape') {
        escape();
        return;
    }
    if (tag === 'INPUT' && event.target.type !== 'checkbox' || tag === 'SELECT') {
        return;
    }
    const panel = focusedPanel();
    if (keyInPanel(panel, event) || keyAnywhere(event)) {
        event.preventDefault();
    }
}

function escape() {
    endDrag();
    leave();
    if (document.body.classList.contains('drawer')) {
        toggleFiles(false);
    } else if (STATE.slope !== null) {
        clearSlope();
    } else if (STATE.mode === 'slope') {
        toggleSlope();
    }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function keyInPanel(panel, event) {
    if (panel === undefined || panel.shown === null) {
        return false;
    }
    const arrow = ARROWS[event.key];
    if (STATE.mode === 'slope' && panel.spec.axis === 'offset') {
        if (arrow) {
            const far = event.shiftKey ? 20 : 2;
            moveCross(panel, arrow[0] * far, arrow[1] * far);
            return true;
        }
        if (event.key === 'Enter' || event.key === ' ') {
            setCross(panel);
            return true;
        }
    }
    if (arrow && arrow[1] !== 0 && panel.spec.axis === 'offset') {
        remember();
        move(viewOf(panel.column), 0, -arrow[1] * 0.2);
        changed('view');
        return true;
    }
    if (event.key === ',' || event.key === '.') {
        stepMark(panel, event.key === '.' ? 1 : -1);
        return true;
    }
    return false;
}

function keyAnywhere(event) {
    const view = viewOf(activeColumn);
    const keys = {
        '+': () => zoomTime(0.5), '=': () => zoomTime(0.5), '-': () => zoomTime(2), '_': () => zoomTime(2),
        'i': () => zoomOffsets(0.5), 'u': () => zoomOffsets(2),
        'ArrowLeft': () => pan(view, -0.2), 'ArrowRight': () => pan(view, 0.2),
        'Backspace': () => zoomBack(), 'f': () => focusFilter(), 'r': () => rescale(), '0': () => resetAll(), 'Home': () => resetAll(),
        's': () => toggleSlope(), 'l': () => copyLink(), 't': () => toggleTheme(), 'p': () => window.print(),
        '?': () => showHelp(),
    };
    if (RUNS.length > 1) {
        keys.o = () => toggleLayout();
        if (STATE.layout === 'side') {
            keys.k = () => toggleLinked();
        }
    }
    const run = keys[event.key];
    if (run === undefined) {
        return false;
    }
    run();
    return true;
}

function focusFilter() {
    toggleFiles(true);
    document.querySelector('#file-list input[type=search]').focus();
}

function pan(view, share) {
    remember();
    move(view, share, 0);
    changed('view');
}

function zoomOffsets(factor) {
    remember();
    stretchRange(viewOf(activeColumn), factor, 0.5);
    changed('view');
}
