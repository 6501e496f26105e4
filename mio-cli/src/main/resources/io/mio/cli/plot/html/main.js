// Puts everything together, and what tests and others may ask: window.mioPlot.

let loaded = false;
let pictured = false;
let resolveReady = null;
let resolveLoaded = null;
const ready = new Promise((resolve) => {
    resolveReady = resolve;
});
const complete = new Promise((resolve) => {
    resolveLoaded = resolve;
});

/** What a change makes necessary. */
function onChange(kind) {
    if (kind === 'theme') {
        applyTheme();
        showRuns();
    }
    if (kind === 'layout' || kind === 'everything') {
        applyTheme();
        buildColumns();
        buildOverviews();
        showRuns();
        showFileList();
    }
    if (kind === 'files') {
        showFileList();
        showRuns();
    }
    if (kind === 'view') {
        refreshChosen();
    }
    if (kind === 'slope') {
        showSlope();
    } else if (kind === 'mode') {
        showToolbar();
    } else {
        draw(kind === 'moving');
        if (kind === 'moving' || kind === 'view') {
            overviews.forEach((overview) => overview.showWindow());
        } else {
            drawOverviews();
        }
    }
    showToolbar();
    noteInAddress();
}

let chosenBefore = null;

/** A step back may bring other files back. */
function refreshChosen() {
    if (chosenBefore !== STATE.chosen) {
        chosenBefore = STATE.chosen;
        showFileList();
        showRuns();
        drawOverviews();
    }
}

function onDrawn() {
    showToolbar();
    showSlope();
    RENDER.columns.forEach((column) => column.panels.forEach((panel) => {
        highlight(panel, null);
        panel.cursor = undefined;
        showCross(panel);
    }));
    if (!pictured && RENDER.scenes.flat().length > 0) {
        pictured = true;
        performance.mark('mio-first-picture');
        resolveReady();
    }
}

/** Coarse levels first, so that there is a picture soon. */
async function load() {
    for (const run of RUNS) {
        await loadLevel(run, 0);
    }
    onChange('everything');
    for (const run of RUNS) {
        await loadCounts(run, 'latency');
        await loadCounts(run, 'sizes');
    }
    const most = Math.max(...RUNS.map((run) => run.levels.length));
    for (let level = 1; level < most; level++) {
        for (const run of RUNS) {
            if (level < run.levels.length) {
                await loadLevel(run, level);
            }
        }
        draw(false);
    }
    loaded = true;
    RENDER.drawn.push(completed);
    draw(false);
    drawOverviews();
}

function completed() {
    if (loaded && resolveLoaded !== null) {
        resolveLoaded();
        resolveLoaded = null;
    }
}

function fail(text) {
    const message = document.getElementById('message');
    message.textContent = text;
    message.hidden = false;
}

/** The state as plain data; see window.mioPlot. */
function describeState() {
    const view = viewOf(activeColumn);
    return {
        ready: pictured,
        loaded,
        busy: RENDER.frame !== 0 || RENDER.resting === true,
        window: { from: view.t0, to: view.t1 },
        offsets: { from: rangeOf(view)[0], to: rangeOf(view)[1] },
        windows: RENDER.columns.map((column) => {
            const own = viewOf(column.index);
            return { from: own.t0, to: own.t1, offsetFrom: rangeOf(own)[0], offsetTo: rangeOf(own)[1] };
        }),
        files: STATE.chosen === null ? null : Array.from(STATE.chosen, (key) => FILES[key].name),
        levels: RENDER.scenes.flatMap((scenes, column) => scenes.map((scene) => ({ column, run: scene.run.index,
            level: scene.table.index, exact: scene.table.exact, marks: scene.rows.length,
            timeStep: scene.table.timeStep, offsetStep: scene.table.offsetStep }))),
        panels: RENDER.columns.flatMap((column) => column.panels.map((panel) => ({ panel: panel.spec.name,
            column: column.index, open: panel.open, marks: panel.marks, detail: panel.detail.textContent }))),
        mode: STATE.mode,
        layout: STATE.layout,
        linked: STATE.linked,
        shown: Array.from(STATE.shown),
        theme: document.documentElement.dataset.theme,
        slope: slopeFigures(),
        history: HISTORY.length,
    };
}

/**
 * For tests and for those who look from the console; nothing here changes the page.
 *
 * ready: promise, kept when the first picture is drawn. complete: the same when all levels are read.
 * state(): window { from, to } in nanoseconds since the file's time zero, of several runs
 * from the first event of each, offsets { from, to } in bytes,
 * files chosen (null: all), levels drawn, panels with the marks drawn in each, mode, layout,
 * theme as drawn, slope, history, busy.
 * pixel(panel, t, value, column): client coordinates { x, y } of a moment and an offset (or the value of a curve)
 * in a panel, which may lie outside of it; null if the panel is not drawn.
 */
window.mioPlot = Object.freeze({
    ready,
    complete,
    state: describeState,
    pixel(name, t, value, column) {
        const panel = panelNamed(name, column);
        if (!panel || panel.shown === null) {
            return null;
        }
        const box = panel.canvas.getBoundingClientRect();
        const { plane } = panel.shown;
        return { x: box.left + plane.x(t), y: box.top + plane.y(value) };
    },
});

function start() {
    if (typeof DecompressionStream === 'undefined') {
        fail('This browser is too old for this page: it needs DecompressionStream, which Chrome and Edge have since'
            + ' version 80, Safari since 16.4 and Firefox since 113. Or make a picture: mio plot FILE -o x.svg');
        return;
    }
    knownHash = location.hash;
    decodeState(knownHash);
    LISTENERS.push(onChange);
    RENDER.drawn.push(onDrawn);
    applyTheme();
    buildToolbar();
    buildFileList();
    startFileList();
    showNotes();
    attachPrint();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => changed('theme'));
    window.addEventListener('hashchange', () => {
        if (readAddress()) {
            changed('everything');
        }
    });
    const head = document.getElementById('head');
    new ResizeObserver(() => document.documentElement.style.setProperty('--head', head.offsetHeight + 'px')).observe(head);
    let width = 0;
    new ResizeObserver((entries) => {
        // The height changes with what is drawn, and must not be a reason to draw.
        const now = entries[0].contentRect.width;
        if (pictured && !RENDER.printing && now !== width) {
            draw(true);
            drawOverviews();
        }
        width = now;
    }).observe(document.getElementById('main'));
    load().catch((e) => fail('The page could not be read: ' + e.message));
}

start();
