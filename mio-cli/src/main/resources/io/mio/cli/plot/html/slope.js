// A line that somebody draws in a panel of offsets: its slope is a rate.

/** Pixels within which an end of the line jumps to an end of a mark. */
const SNAP = 7;

/** The end of a mark near a point, as [t, offset]; else the point itself. */
function snapped(panel, x, y) {
    const { plane, parts, datas } = panel.shown;
    let best = SNAP;
    let found = [plane.t(x), plane.value(y)];
    parts.forEach((part, i) => {
        const { table } = part;
        for (const row of datas[i].rows) {
            if (table.offset[row] < 0) {
                continue;
            }
            for (const [t, o] of [[table.start[row], table.offset[row]], [table.end[row], table.offsetEnd[row]]]) {
                const distance = Math.hypot(plane.x(t) - x, plane.y(o) - y);
                if (distance < best) {
                    best = distance;
                    found = [t, o];
                }
            }
        }
    });
    return found;
}

/** { nanos, bytes, bytesPerSecond } of the line, or null. */
function slopeFigures() {
    const s = STATE.slope;
    if (s === null) {
        return null;
    }
    const nanos = Math.abs(s.t1 - s.t0);
    const bytes = (s.o1 - s.o0) * (s.t1 < s.t0 ? -1 : 1);
    return { nanos, bytes, bytesPerSecond: nanos > 0 ? Math.abs(bytes) / nanos * 1e9 : Infinity };
}

/** Draws the line and its read-out; called after each drawing of the panels. */
function showSlope() {
    const s = STATE.slope;
    const readout = document.getElementById('slope-readout');
    let place = null;
    RENDER.columns.forEach((column) => column.panels.forEach((panel) => {
        const here = s !== null && panel.shown !== null && panel.spec.name === s.panel && panel.column === s.column;
        const lines = [];
        if (here) {
            const { plane } = panel.shown;
            lines.push([plane.x(s.t0), plane.y(s.o0), plane.x(s.t1), plane.y(s.o1)]);
            place = [panel, lines[0]];
        }
        d3.select(panel.over).selectAll('line.slope').data(lines).join('line').attr('class', 'slope')
            .attr('x1', (l) => l[0]).attr('y1', (l) => l[1]).attr('x2', (l) => l[2]).attr('y2', (l) => l[3]);
        d3.select(panel.over).selectAll('circle.slope')
            .data(lines.flatMap((l) => [[l[0], l[1]], [l[2], l[3]]])).join('circle').attr('class', 'slope')
            .attr('cx', (c) => c[0]).attr('cy', (c) => c[1]).attr('r', 3);
    }));
    readout.hidden = place === null;
    if (place !== null) {
        fillReadout(readout);
        placeReadout(readout, place[0], place[1]);
    }
}

function fillReadout(readout) {
    const figures = slopeFigures();
    readout.dataset.bytesPerSecond = String(figures.bytesPerSecond);
    readout.dataset.nanos = String(figures.nanos);
    readout.dataset.bytes = String(figures.bytes);
    const close = element('button', { type: 'button', 'aria-label': 'Remove the line', title: 'Remove the line (Esc)' }, '\u00d7');
    close.addEventListener('click', clearSlope);
    readout.replaceChildren(
        element('strong', { text: formatDecimalRate(figures.bytesPerSecond) }),
        element('span', { text: formatRate(figures.bytesPerSecond) }),
        element('span', { text: formatTime(figures.nanos) }),
        element('span', { text: formatBytes(figures.bytes) + (figures.bytes < 0 ? ' (backward)' : '') }),
        close);
}

function placeReadout(readout, panel, line) {
    const box = panel.canvas.getBoundingClientRect();
    const size = readout.getBoundingClientRect();
    const x = box.left + Math.max(0, Math.min(panel.width, line[2])) + 10;
    const y = box.top + Math.max(0, Math.min(panel.height, line[3])) - size.height - 8;
    readout.style.left = Math.max(4, Math.min(x, window.innerWidth - size.width - 8)) + window.scrollX + 'px';
    readout.style.top = Math.max(4, y) + window.scrollY + 'px';
}

function clearSlope() {
    STATE.slope = null;
    changed('slope');
}

function setSlope(panel, from, to) {
    STATE.slope = { column: panel.column, panel: panel.spec.name, t0: from[0], o0: from[1], t1: to[0], o1: to[1] };
    changed('slope');
}

/** The cross that the arrow keys move in slope mode; Enter sets an end of the line. */
function moveCross(panel, dx, dy) {
    const at = panel.cross || [panel.width / 2, panel.height / 2];
    panel.cross = [Math.max(0, Math.min(panel.width, at[0] + dx)), Math.max(0, Math.min(panel.height, at[1] + dy))];
    showCross(panel);
    if (panel.crossFrom) {
        setSlope(panel, panel.crossFrom, snapped(panel, ...panel.cross));
    }
}

function setCross(panel) {
    if (!panel.cross) {
        moveCross(panel, 0, 0);
    }
    const at = snapped(panel, ...panel.cross);
    if (panel.crossFrom) {
        setSlope(panel, panel.crossFrom, at);
        announce(document.getElementById('slope-readout').innerText);
        panel.crossFrom = null;
    } else {
        panel.crossFrom = at;
        announce('Line begins here; move with the arrow keys, Enter ends it');
    }
}

function showCross(panel) {
    const data = panel.cross && STATE.mode === 'slope' ? [panel.cross] : [];
    d3.select(panel.over).selectAll('path.cross').data(data).join('path').attr('class', 'cross')
        .attr('d', (c) => 'M' + (c[0] - 8) + ',' + c[1] + 'h16M' + c[0] + ',' + (c[1] - 8) + 'v16');
}
