// What is under the pointer, or under the cursor of the keyboard.

const HOVER = { event: null, panel: null, frame: 0 };

/** The mark at a point of a panel: { part, row }, or null. */
function markAt(panel, x, y, reach) {
    const { plane, parts, datas } = panel.shown;
    for (let i = parts.length - 1; i >= 0; i--) {
        const part = parts[i];
        const data = datas[i];
        let row = -1;
        if (panel.spec.axis === 'offset') {
            row = nearestMark(plane, part.table, data.rows, x, y, reach,
                (series) => part.run.series[series].what === WHAT.FAILED);
        } else if (data.bars) {
            row = barAt(plane, part, data, x, y);
        }
        if (row >= 0) {
            return { part, data, row };
        }
    }
    return null;
}

function hoverLater(panel, event) {
    HOVER.panel = panel;
    HOVER.event = event;
    if (HOVER.frame === 0) {
        HOVER.frame = requestAnimationFrame(() => {
            HOVER.frame = 0;
            if (HOVER.event !== null && HOVER.panel.shown !== null) {
                hover(HOVER.panel, HOVER.event);
            }
        });
    }
}

function hover(panel, event) {
    const [x, y] = panel.pointOf(event);
    showHair(panel, x);
    const found = markAt(panel, x, y, 6);
    if (found !== null) {
        showMark(panel, found, event.clientX, event.clientY);
        return;
    }
    highlight(panel, null);
    const facts = factsAt(panel, x);
    if (facts.length > 0) {
        showTooltip(null, facts, event.clientX, event.clientY);
    } else {
        hideTooltip();
    }
}

/** What curves and histograms show at a place. */
function factsAt(panel, x) {
    const { plane, parts, datas } = panel.shown;
    const several = parts.length > 1;
    if (panel.spec.time) {
        if (!panel.spec.at) {
            return [];
        }
        const t = plane.t(x);
        const facts = parts.flatMap((part, i) => panel.spec.at(part, datas[i], t)
            .map(([label, value]) => [several ? part.run.label + ': ' + label : label, value]));
        return facts.length === 0 ? [] : [...momentFacts(parts.map((part) => part.run), t), ...facts];
    }
    const bucket = Math.floor(plane.t(x));
    const format = panel.spec.format;
    const facts = parts.flatMap((part, i) => datas[i].curves.map((curve, k) =>
        [several ? part.run.label + ': ' + curve.label : curve.label, datas[i].counts[k][bucket] || 0]))
        .filter(([, count]) => count > 0).map(([label, count]) => [label, formatCount(count)]);
    const from = bucketFrom(bucket);
    const to = bucketFrom(bucket + 1);
    return facts.length === 0 ? [] : [['values', to - from <= 1 ? format(from) : format(from) + ' to ' + format(to)], ...facts];
}

/** A moment as the events file of each run has it. */
function momentFacts(runs, t) {
    if (runs.length === 1) {
        return [['at', formatMoment(ownTime(runs[0], t))]];
    }
    return [['since the first events', formatMoment(t)],
        ...runs.map((run) => [run.label + ': at', formatMoment(ownTime(run, t))])];
}

function showMark(panel, found, clientX, clientY) {
    const { part, row } = found;
    highlight(panel, found);
    const title = (panel.shown.parts.length > 1 ? part.run.label + ': ' : '') + markTitle(part.run, part.table, row);
    const facts = markFacts(part.run, part.table, row);
    if (part.table.events[row] > 1) {
        facts.push(['', 'Several events in one mark: zoom in to see each.']);
    }
    showTooltip(title, facts, clientX, clientY);
}

/** Frames a mark. */
function highlight(panel, found) {
    let bounds = [];
    if (found !== null) {
        const { plane } = panel.shown;
        const [left, right, top, bottom] = found.data.bars
            ? barOf(plane, found.part.table, found.data.slots, found.row) : boundsOf(plane, found.part.table, found.row);
        bounds = [[left - 2, top - 2, right - left + 4, bottom - top + 4]];
    }
    d3.select(panel.over).selectAll('rect.mark').data(bounds).join('rect').attr('class', 'mark')
        .attr('x', (b) => b[0]).attr('y', (b) => b[1]).attr('width', (b) => b[2]).attr('height', (b) => b[3]);
}

function showTooltip(title, facts, clientX, clientY) {
    const tooltip = document.getElementById('tooltip');
    const list = element('dl', {});
    for (const [word, text] of facts) {
        list.append(element('dt', { text: word }), element('dd', {}, element('bdi', { text })));
    }
    tooltip.replaceChildren(...(title === null ? [] : [element('strong', {}, element('bdi', { text: title }))]), list);
    tooltip.hidden = false;
    const box = tooltip.getBoundingClientRect();
    const right = clientX + 16 + box.width < window.innerWidth - 4;
    const left = right ? clientX + 16 : Math.max(4, clientX - 16 - box.width);
    tooltip.style.left = Math.max(4, Math.min(left, window.innerWidth - box.width - 4)) + 'px';
    tooltip.style.top = Math.max(4, Math.min(clientY + 14, window.innerHeight - box.height - 4)) + 'px';
}

function hideTooltip() {
    document.getElementById('tooltip').hidden = true;
}

/** A line at the same moment in all panels. */
function showHair(panel, x) {
    const t = panel === null || !panel.spec.time ? null : panel.shown.plane.t(x);
    RENDER.columns.forEach((column) => column.panels.forEach((other) => {
        const visible = t !== null && other.shown !== null && other.spec.time
            && (STATE.linked || other.column === panel.column);
        other.hair.hidden = !visible;
        if (visible) {
            other.hair.style.left = other.left + other.shown.plane.x(t) + 'px';
            other.hair.hidden = other.shown.plane.x(t) < 0 || other.shown.plane.x(t) > other.width;
        }
    }));
}

function leave() {
    HOVER.event = null;
    hideTooltip();
    showHair(null, 0);
    RENDER.columns.forEach((column) => column.panels.forEach((panel) => highlight(panel, null)));
}

/** Goes to the next mark, or the one before, of the panel that has the focus. */
function stepMark(panel, direction) {
    if (panel.shown === null || (panel.spec.axis !== 'offset' && !panel.shown.datas[0].bars)) {
        return;
    }
    const all = panel.shown.parts.flatMap((part, i) => Array.from(panel.shown.datas[i].rows, (row) =>
        ({ part, data: panel.shown.datas[i], row })));
    if (all.length === 0) {
        return;
    }
    const at = panel.cursor === undefined ? (direction > 0 ? 0 : all.length - 1) : panel.cursor + direction;
    panel.cursor = Math.max(0, Math.min(all.length - 1, at));
    const found = all[panel.cursor];
    const box = panel.canvas.getBoundingClientRect();
    const [left, , top] = boundsOf(panel.shown.plane, found.part.table, found.row);
    showMark(panel, found, box.left + Math.max(0, left), box.top + Math.max(0, top));
    announce(document.getElementById('tooltip').innerText);
}

function announce(text) {
    document.getElementById('status').textContent = text;
}
