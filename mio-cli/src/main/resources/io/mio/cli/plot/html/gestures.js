// Pointer and wheel: drag a band to zoom, Alt-drag or slope mode for a line, wheel to zoom at the pointer.

/** Pixels that a drag has to go before it means something. */
const DRAG_LEAST = 4;

/** Vertical pixels from which a drag in a panel of offsets zooms offsets as well. */
const BOX_LEAST = 14;

/** Pixels around a plot area that belong to it. */
const NEAR = 8;

let activeColumn = 0;
let drag = null;
let wheelAt = 0;

function attachGestures(panel) {
    const { canvas, plot } = panel;
    plot.addEventListener('pointerdown', (event) => pointerDown(panel, event));
    plot.addEventListener('pointermove', (event) => pointerMove(panel, event));
    plot.addEventListener('pointerup', (event) => pointerUp(panel, event));
    plot.addEventListener('pointercancel', () => endDrag());
    plot.addEventListener('pointerleave', () => {
        if (drag === null) {
            leave();
        }
    });
    canvas.addEventListener('wheel', (event) => wheel(panel, event), { passive: false });
    canvas.addEventListener('dblclick', (event) => {
        if (panel.spec.time && panel.shown !== null) {
            remember();
            stretch(viewOf(panel.column), event.shiftKey ? 2 : 0.5, panel.pointOf(event)[0] / panel.width);
            changed('view');
        }
    });
    canvas.addEventListener('focus', () => {
        activeColumn = panel.column;
    });
    canvas.addEventListener('blur', () => leave());
}

/** Within the plot area, or so near that it is meant. */
function isNear(panel, x, y) {
    return x >= -NEAR && x <= panel.width + NEAR && y >= -NEAR && y <= panel.height + NEAR;
}

function pointerDown(panel, event) {
    activeColumn = panel.column;
    if (event.button > 1 || panel.shown === null || !panel.spec.time) {
        return;
    }
    const [x, y] = panel.pointOf(event);
    if (!isNear(panel, x, y)) {
        return;
    }
    const slope = (event.altKey || STATE.mode === 'slope') && panel.spec.axis === 'offset' && event.button === 0;
    drag = { panel, x, y, at: [x, y], kind: event.button === 1 ? 'pan' : slope ? 'slope' : 'band', shift: event.shiftKey, moved: false };
    if (slope) {
        drag.from = snapped(panel, x, y);
    }
    panel.plot.setPointerCapture(event.pointerId);
    panel.canvas.focus({ preventScroll: true });
    if (event.button === 1) {
        event.preventDefault();
    }
}

function pointerMove(panel, event) {
    const [x, y] = panel.pointOf(event);
    if (drag === null) {
        if (panel.shown !== null && isNear(panel, x, y)) {
            hoverLater(panel, event);
        } else {
            leave();
        }
        return;
    }
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < DRAG_LEAST) {
        return;
    }
    if (!drag.moved) {
        drag.moved = true;
        hideTooltip();
        if (drag.kind === 'pan') {
            remember();
        }
    }
    drag.shift = event.shiftKey;
    if (drag.kind === 'band') {
        showBand(panel, x, y);
    } else if (drag.kind === 'slope') {
        setSlope(panel, drag.from, snapped(panel, x, y));
    } else {
        const view = viewOf(panel.column);
        move(view, -(x - drag.at[0]) / panel.width, panel.spec.axis === 'offset' ? (y - drag.at[1]) / panel.height : 0);
        drag.at = [x, y];
        changed('moving');
    }
}

/** Ends of the band: offsets only where they are meant. */
function bandOf(panel, x, y) {
    const clamp = (value, most) => Math.max(0, Math.min(most, value));
    const xs = [clamp(drag.x, panel.width), clamp(x, panel.width)].sort(d3.ascending);
    const both = panel.spec.axis === 'offset' && (drag.shift || Math.abs(y - drag.y) >= BOX_LEAST);
    const ys = both ? [clamp(drag.y, panel.height), clamp(y, panel.height)].sort(d3.ascending) : [0, panel.height];
    return { xs, ys, both };
}

function showBand(panel, x, y) {
    const { xs, ys } = bandOf(panel, x, y);
    d3.select(panel.over).selectAll('rect.band').data([0]).join('rect').attr('class', 'band')
        .attr('x', xs[0]).attr('width', xs[1] - xs[0]).attr('y', ys[0]).attr('height', ys[1] - ys[0]);
    const { plane } = panel.shown;
    const from = panel.shown.parts.length > 1 ? [['since the first events', formatMoment(plane.t(xs[0]))]]
        : [['from', formatMoment(ownTime(panel.shown.parts[0].run, plane.t(xs[0])))]];
    showTooltip(null, [...from, ['span', formatTime(plane.t(xs[1]) - plane.t(xs[0]))]],
        panel.canvas.getBoundingClientRect().left + x, panel.canvas.getBoundingClientRect().top + y);
}

function pointerUp(panel, event) {
    const done = drag;
    if (done === null) {
        return;
    }
    const [x, y] = panel.pointOf(event);
    if (done.moved && done.kind === 'band') {
        const { xs, ys, both } = bandOf(panel, x, y);
        if (xs[1] - xs[0] >= DRAG_LEAST) {
            const { plane } = panel.shown;
            remember();
            const range = both ? [plane.value(ys[1]), plane.value(ys[0])] : [];
            setWindow(panel.column, plane.t(xs[0]), plane.t(xs[1]), ...range);
        }
    }
    endDrag();
    if (done.moved && done.kind === 'pan') {
        changed('view');
    }
}

function endDrag() {
    drag = null;
    hideTooltip();
    d3.selectAll('rect.band').remove();
}

function wheel(panel, event) {
    if (panel.shown === null || !panel.spec.time || event.altKey) {
        return;
    }
    event.preventDefault();
    activeColumn = panel.column;
    const view = viewOf(panel.column);
    const now = performance.now();
    // One turn of the wheel is many events, and one step back.
    if (now - wheelAt > 600) {
        remember();
    }
    wheelAt = now;
    const [x, y] = panel.pointOf(event);
    const scale = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const turned = (event.deltaY || (event.shiftKey ? event.deltaX : 0)) * scale;
    const factor = Math.pow(2, Math.max(-1, Math.min(1, turned / 240)));
    if ((event.ctrlKey || event.shiftKey || event.metaKey) && panel.spec.axis === 'offset') {
        stretchRange(view, factor, 1 - y / panel.height);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        move(view, event.deltaX * scale / panel.width, 0);
    } else {
        stretch(view, factor, x / panel.width);
    }
    leave();
    changed('moving');
}
