// When what is drawn: coarse at once while somebody moves, fine when the hand rests, and never long at a stretch.

/** Milliseconds of drawing in one frame. */
const BUDGET_QUICK = 40;
const BUDGET_FINE = 24;
const REST_MILLIS = 140;

const RENDER = {
    columns: [],
    queue: [],
    frame: 0,
    rest: 0,
    quick: false,
    /** Scenes of the columns as last drawn. */
    scenes: [],
    colours: paletteOf('light'),
    drawn: [],
};

/** Theme in use: as chosen, else that of the system; always light on paper. */
function themeInUse() {
    if (RENDER.printing) {
        return 'light';
    }
    return STATE.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

function applyTheme() {
    const theme = themeInUse();
    document.documentElement.dataset.theme = theme;
    RENDER.colours = paletteOf(theme);
}

/** Makes the columns and their panels anew. */
function buildColumns() {
    const host = document.getElementById('columns');
    const runs = STATE.shown.map((index) => RUNS[index]);
    const specs = PANELS.filter((spec) => spec.has(runs));
    RENDER.columns = columnsOfRuns().map((own, index) => {
        const panels = specs.map((spec) => new Panel(spec, index, own));
        const box = element('div', { class: 'column', 'data-column': String(index) });
        if (STATE.layout === 'side' && STATE.shown.length > 1) {
            box.append(element('p', { class: 'column-name' }, nameElement(own[0].label)));
        }
        box.append(...panels.map((panel) => panel.element));
        return { index, runs: own, panels, box };
    });
    while (STATE.views.length < RENDER.columns.length) {
        STATE.views.push(STATE.views[0].copy());
    }
    host.replaceChildren(...RENDER.columns.map((column) => column.box));
    host.style.setProperty('--columns', String(RENDER.columns.length));
    host.style.setProperty('--rows', String(RENDER.columns[0].box.children.length));
    host.dataset.columns = String(RENDER.columns.length);
    RENDER.columns.forEach((column) => column.panels.forEach((panel) => attachGestures(panel)));
}

/** Draws anew; quick: somebody is moving, so coarsely first. */
function draw(quick) {
    RENDER.quick = Boolean(quick);
    clearTimeout(RENDER.rest);
    RENDER.resting = false;
    if (RENDER.frame === 0) {
        RENDER.frame = requestAnimationFrame(begin);
    } else if (RENDER.queue !== null) {
        // A drawing is under way: it begins again with what is wanted now.
        RENDER.queue = null;
    }
}

function begin() {
    const most = RENDER.quick ? MARKS_QUICK : MARKS_FINE;
    RENDER.scenes = RENDER.columns.map((column) => {
        const view = viewOf(column.index);
        return column.runs.map((run) => sceneOf(run, STATE.chosen, view.t0, view.t1, most)).filter((one) => one !== null);
    });
    RENDER.columns.forEach((column) => column.panels.forEach((panel) => {
        panel.showFold();
        if (panel.open) {
            panel.measure();
        }
    }));
    const first = RENDER.columns[0].panels;
    const order = first.map((panel, index) => ({ index, far: panel.open ? distanceFromView(panel) : 0 }));
    order.sort((one, other) => one.far - other.far || one.index - other.index);
    RENDER.queue = order.map((one) => one.index);
    go();
}

/** Pixels between a panel and what is seen of the page. */
function distanceFromView(panel) {
    const box = panel.element.getBoundingClientRect();
    return Math.max(0, box.top - window.innerHeight, -box.bottom);
}

function go() {
    if (RENDER.queue === null) {
        begin();
        return;
    }
    const until = performance.now() + (RENDER.quick ? BUDGET_QUICK : BUDGET_FINE);
    do {
        const index = RENDER.queue.shift();
        if (index !== undefined) {
            drawOrTell(RENDER.columns.map((column) => column.panels[index]));
        }
    } while (RENDER.queue.length > 0 && performance.now() < until);
    if (RENDER.queue.length > 0) {
        RENDER.frame = requestAnimationFrame(go);
        return;
    }
    RENDER.frame = 0;
    finished();
}

/** A panel that cannot be drawn does not keep the others from it. */
function drawOrTell(panels) {
    try {
        drawPanels(panels);
    } catch (e) {
        panels.forEach((panel) => {
            panel.shown = null;
            panel.marks = 0;
            panel.detail.textContent = 'cannot be drawn: ' + e.message;
        });
        console.error(e);
    }
}

/** Draws one panel in all columns, with one scale. */
function drawPanels(panels) {
    panels.forEach((panel) => panel.showLegend(RENDER.colours));
    if (!panels[0].open) {
        panels.forEach((panel) => {
            panel.shown = null;
            panel.marks = 0;
        });
        return;
    }
    const parts = panels.map((panel) => partsOf(panel));
    const datas = panels.map((panel, i) => parts[i].map((part) => panel.spec.compute(part)));
    const all = datas.flat();
    const frame = {
        top: d3.max(all, (data) => data.top) || 0,
        low: d3.min(all, (data) => (data.low === undefined ? Infinity : data.low)),
        high: d3.max(all, (data) => data.high || 0),
    };
    panels.forEach((panel, i) => {
        if (parts[i].length > 0) {
            panel.paint(parts[i], datas[i], frame, RENDER.colours);
        }
    });
}

/** What each run contributes to a panel. */
function partsOf(panel) {
    const view = viewOf(panel.column);
    if (panel.missing !== null) {
        return [];
    }
    const { runs } = RENDER.columns[panel.column];
    return RENDER.scenes[panel.column].map((scene) => ({
        ...scene,
        view,
        width: panel.width,
        ...lookOf(scene.run, runs),
    }));
}

/** Colours and dashes of a run where it lies over others. */
function lookOf(run, runs) {
    const second = runs.indexOf(run) > 0;
    return runs.length > 2
        ? { second, colours: runColours(RENDER.colours, run.index), dash: RUN_DASHES[run.index % RUN_DASHES.length] }
        : { second, colours: second ? RENDER.colours.second : RENDER.colours.first, dash: second ? [7, 3] : null };
}

function finished() {
    const coarse = RENDER.scenes.flat().some((scene) => scene.table !== finestOf(scene.run));
    if (RENDER.quick && coarse) {
        RENDER.resting = true;
        RENDER.rest = setTimeout(() => draw(false), REST_MILLIS);
    }
    RENDER.drawn.forEach((listener) => listener());
}

function finestOf(run) {
    return run.tables.filter((table) => table !== null).pop();
}

/** The panel of a name in a column, or undefined. */
function panelNamed(name, column) {
    const own = RENDER.columns[column || 0];
    return own && own.panels.find((panel) => panel.spec.name === name);
}
