// Marks in the plane of time and offset: rectangles, lines, crosses; and which of them is at a point.

/** Least size of a mark, CSS pixels. */
const LEAST = 1.5;

/** Height of the strip below the offsets in which calls without an offset are shown. */
const STRIP = 7;

/** Places of moments and offsets in a panel, CSS pixels from the top left of its plot area. */
class Plane {
    constructor(width, height, t0, t1, o0, o1) {
        Object.assign(this, { width, height, t0, t1, o0, o1 });
        this.kx = width / (t1 - t0);
        this.ky = height / (o1 - o0);
    }

    x(t) {
        return (t - this.t0) * this.kx;
    }

    y(value) {
        return this.height - (value - this.o0) * this.ky;
    }

    t(x) {
        return this.t0 + x / this.kx;
    }

    value(y) {
        return this.o0 + (this.height - y) / this.ky;
    }
}

/** What boundsOf found; one array for all, as there are many marks. */
const BOUNDS = [0, 0, 0, 0];

/**
 * Ends of a mark on the plane: [left, right, top, bottom], cut to a little more than the plane. The array is the same
 * for each call.
 */
function boundsOf(plane, table, row) {
    const left = Math.max(-8, plane.x(table.start[row]));
    BOUNDS[0] = left;
    BOUNDS[1] = Math.max(Math.min(plane.width + 8, plane.x(table.end[row])), left + LEAST);
    if (table.offset[row] < 0) {
        BOUNDS[2] = plane.height - STRIP;
        BOUNDS[3] = plane.height;
        return BOUNDS;
    }
    const one = plane.y(table.offset[row]);
    const other = plane.y(table.offsetEnd[row]);
    const bottom = Math.min(plane.height + 8, Math.max(one, other));
    BOUNDS[2] = Math.min(Math.max(-8, Math.min(one, other)), bottom - LEAST);
    BOUNDS[3] = bottom;
    return BOUNDS;
}

/**
 * Draws marks of one kind as rectangles and lines, without boxes. What covers the same pixels is drawn once. Where marks of
 * both lanes are dense (see lanesByColumn), thin ones go to different columns of pixels, so that none hides the others.
 *
 * @returns how many marks are at least partly on the plane
 */
function paintMarks(context, plane, table, rows, colour, style, dense) {
    let drawn = 0;
    const before = [NaN, NaN, NaN, NaN];
    const lines = [];
    let filled = '';
    context.strokeStyle = colour;
    context.lineWidth = 1;
    const soft = translucent(colour, style.opacity);
    for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (table.shape[row] === SHAPE.LINE) {
            lines.push(row);
            continue;
        }
        if (table.shape[row] === SHAPE.BOX) {
            continue;
        }
        let [left, right, top, bottom] = boundsOf(plane, table, row);
        if (dense !== null && style.lane !== undefined && right - left < 2 && dense[Math.floor(left / 4)] === 3) {
            left = Math.floor(left / 4) * 4 + style.lane * 2;
            right = left + 2;
        }
        if (right < 0 || left > plane.width || bottom < 0 || top > plane.height) {
            continue;
        }
        drawn++;
        const width = right - left;
        const height = bottom - top;
        if (isSame(before, left, top, width, height)) {
            continue;
        }
        const large = width > 5 && height > 5;
        const fill = large || style.solid ? soft : colour;
        if (fill !== filled) {
            // Setting it to what it is costs as much as drawing.
            context.fillStyle = fill;
            filled = fill;
        }
        context.fillRect(left, top, width, height);
        if (large && !style.solid) {
            context.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
        }
    }
    return drawn + paintLines(context, plane, table, lines, colour, style);
}

/** Steps of the opacity of boxes. */
const OPACITIES = 12;

/**
 * Draws the boxes of one kind. A box is as opaque as the share of its area that its events would cover, drawn one by
 * one anywhere in it, and at most so opaque.
 *
 * @returns how many are at least partly on the plane
 */
function paintBoxes(context, plane, table, rows, colour, style, most) {
    const fills = d3.range(OPACITIES + 1).map((step) => translucent(colour, Math.min(most, Math.max(0.12, step / OPACITIES))));
    const resident = translucent(colour, style.opacity * 0.6);
    let drawn = 0;
    let filled = '';
    for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (table.shape[row] !== SHAPE.BOX) {
            continue;
        }
        const [left, right, top, bottom] = boundsOf(plane, table, row);
        if (right < 0 || left > plane.width || bottom < 0 || top > plane.height) {
            continue;
        }
        drawn++;
        const fill = style.solid ? resident : fills[Math.round(OPACITIES * coverOf(plane, table, row))];
        if (fill !== filled) {
            context.fillStyle = fill;
            filled = fill;
        }
        context.fillRect(left, top, right - left, bottom - top);
    }
    return drawn;
}

/** Share of a box that its events cover, 0 to 1, if they lie anywhere in it. */
function coverOf(plane, table, row) {
    const events = table.events[row];
    const width = Math.max(LEAST, (table.end[row] - table.start[row]) * plane.kx);
    if (table.offset[row] < 0) {
        return 1 - Math.exp(-events * Math.max(LEAST, table.busy[row] / events * plane.kx) / width);
    }
    const height = Math.max(LEAST, Math.abs(table.offsetEnd[row] - table.offset[row]) * plane.ky);
    const one = Math.max(LEAST, table.busy[row] / events * plane.kx) * Math.max(LEAST, table.bytes[row] / events * plane.ky);
    return 1 - Math.exp(-events * one / (width * height));
}

/** Whether a rectangle covers the same half pixels as the one before, which it then becomes. */
function isSame(before, left, top, width, height) {
    const a = (left * 2) | 0;
    const b = (top * 2) | 0;
    const c = (width * 2) | 0;
    const d = (height * 2) | 0;
    const same = a === before[0] && b === before[1] && c === before[2] && d === before[3];
    before[0] = a;
    before[1] = b;
    before[2] = c;
    before[3] = d;
    return same;
}

function paintLines(context, plane, table, rows, colour, style) {
    context.strokeStyle = colour;
    context.lineWidth = style.line || 1.75;
    let drawn = 0;
    for (let from = 0; from < rows.length; from += 1000) {
        context.beginPath();
        for (let i = from; i < Math.min(rows.length, from + 1000); i++) {
            const row = rows[i];
            const x0 = plane.x(table.start[row]);
            const x1 = Math.max(plane.x(table.end[row]), x0 + 0.5);
            const y0 = plane.y(table.offset[row]);
            const y1 = plane.y(table.offsetEnd[row]);
            if (x1 < 0 || x0 > plane.width || Math.max(y0, y1) < 0 || Math.min(y0, y1) > plane.height) {
                continue;
            }
            drawn++;
            context.moveTo(x0, y0);
            context.lineTo(x1, y1);
        }
        context.stroke();
    }
    return drawn;
}

/** Crosses for what failed. */
function paintCrosses(context, plane, table, rows, colour) {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    let drawn = 0;
    context.beginPath();
    for (let i = 0; i < rows.length; i++) {
        const [x, y] = crossAt(plane, table, rows[i]);
        if (x >= -4 && x <= plane.width + 4 && y >= -4 && y <= plane.height + 4) {
            drawn++;
            context.moveTo(x - 4, y - 4);
            context.lineTo(x + 4, y + 4);
            context.moveTo(x - 4, y + 4);
            context.lineTo(x + 4, y - 4);
        }
    }
    context.stroke();
    return drawn;
}

function crossAt(plane, table, row) {
    return [plane.x(table.start[row]), table.offset[row] < 0 ? plane.height - 4 : plane.y(table.offset[row])];
}

/** How far a point is from a mark, pixels; 0 within it. */
function distanceTo(plane, table, row, x, y, failed) {
    if (failed) {
        const [cx, cy] = crossAt(plane, table, row);
        return Math.max(0, Math.hypot(x - cx, y - cy) - 4);
    }
    if (table.shape[row] === SHAPE.LINE) {
        const x0 = plane.x(table.start[row]);
        const y0 = plane.y(table.offset[row]);
        const dx = plane.x(table.end[row]) - x0;
        const dy = plane.y(table.offsetEnd[row]) - y0;
        const length = dx * dx + dy * dy;
        const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / length));
        return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
    }
    const [left, right, top, bottom] = boundsOf(plane, table, row);
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** The mark nearest to a point, at most so many pixels away: of equal ones the smallest; -1 if there is none. */
function nearestMark(plane, table, rows, x, y, reach, isFailed) {
    let best = -1;
    let bestDistance = reach;
    let bestSize = Infinity;
    for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        const distance = distanceTo(plane, table, row, x, y, isFailed(table.series[row]));
        if (distance > bestDistance) {
            continue;
        }
        const size = (table.end[row] - table.start[row]) * plane.kx
            * Math.max(1, Math.abs(table.offsetEnd[row] - table.offset[row]) * plane.ky);
        if (distance < bestDistance - 0.5 || size <= bestSize) {
            best = row;
            bestDistance = Math.min(distance, bestDistance);
            bestSize = size;
        }
    }
    return best;
}

/** Least width of a band, and width of one that stands for no time but for the end of recording, CSS pixels. */
const LEAST_BAND = 3;
const END_BAND = 8;

/** Hatched bands where events are missing. */
function paintLosses(context, plane, losses, colour) {
    context.strokeStyle = colour;
    context.lineWidth = 1;
    for (const [start, end] of losses) {
        if (plane.x(end) < 0 || plane.x(start) > plane.width) {
            continue;
        }
        // At the very end of the picture there is a band, too.
        const least = start === end ? END_BAND : LEAST_BAND;
        const left = Math.max(0, Math.min(plane.x(start), plane.width - least));
        const right = Math.min(plane.width, Math.max(plane.x(end), left + least));
        context.save();
        context.beginPath();
        context.rect(left, 0, right - left, plane.height);
        context.clip();
        context.beginPath();
        for (let x = left - plane.height; x < right; x += 6) {
            context.moveTo(x, plane.height);
            context.lineTo(x + plane.height, 0);
        }
        context.stroke();
        context.restore();
    }
}
