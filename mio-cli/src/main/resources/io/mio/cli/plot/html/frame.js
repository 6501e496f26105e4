// A panel on the page: its head, its axes, its canvas. Every panel has the same margins, so that times stand below
// one another.

const MARGIN = { top: 8, right: 14, bottom: 20 };

/** Room for a table of percentiles beside a histogram, CSS pixels. */
const FIGURES_WIDTH = 420;
const FIGURES_WIDTH_RUNS = 508;

/** Room for the labels of the value axis, CSS pixels. */
function leftMargin() {
    return window.innerWidth < 560 ? 62 : 84;
}

/** Why a panel that others have is empty here; null if it is not. */
function missingWords(spec, runs) {
    return spec.has(runs) ? null : spec.missing ? spec.missing(runs[0]) : 'nothing of this in this run';
}

class Panel {
    constructor(spec, column, runs) {
        Object.assign(this, { spec, column, runs, shown: null, marks: 0, missing: missingWords(spec, runs) });
        this.button = element('button', { type: 'button', class: 'fold', 'aria-expanded': 'true' }, spec.title);
        this.detail = element('span', { class: 'detail' });
        this.legend = element('div', { class: 'legend' });
        this.head = element('div', { class: 'head' }, element('h2', {}, this.button), this.legend, this.choices(), this.detail);
        this.axes = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        this.axes.setAttribute('aria-hidden', 'true');
        this.axes.classList.add('axes');
        this.canvas = element('canvas', { role: 'img', tabindex: '0', 'aria-label': spec.title });
        this.over = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        this.over.setAttribute('aria-hidden', 'true');
        this.over.classList.add('over');
        this.hair = element('div', { class: 'hair', hidden: true });
        this.figures = element('div', { class: 'figures' });
        this.plot = element('div', { class: 'plot' }, this.axes, this.canvas, this.over, this.hair);
        this.element = element('section', { class: 'panel', 'data-panel': spec.name, 'data-column': String(column),
            'aria-label': spec.title }, this.head, this.plot);
        this.button.addEventListener('click', () => {
            toggle(STATE.folded, spec.name);
            changed('fold');
        });
        if (this.missing !== null) {
            this.element.classList.add('missing');
            this.detail.textContent = this.missing;
        }
        this.plot.style.height = spec.height + MARGIN.top + MARGIN.bottom + 'px';
    }

    /** Selections of what the panel shows, if it has any. */
    choices() {
        const made = element('span', { class: 'choices' });
        const { spec } = this;
        if (spec.stages && spec.stages(this.runs).length > 1) {
            made.append(this.choice('stage', spec.stages(this.runs).map((stage) => [stage, META.stages[stage]]),
                stageOf(spec.name, this.runs), (value) => {
                    STATE.stages[spec.name] = value;
                }));
        }
        if (spec.forms) {
            made.append(this.choice('form', spec.forms, STATE.forms[spec.name] || '', (value) => {
                if (value === '') {
                    delete STATE.forms[spec.name];
                } else {
                    STATE.forms[spec.name] = value;
                }
            }));
        }
        return made;
    }

    choice(name, options, value, take) {
        const made = element('select', { 'aria-label': this.spec.title + ': ' + name, 'data-choice': name },
            ...options.map(([key, words]) => element('option', { value: key, selected: key === value, text: words })));
        made.addEventListener('change', () => {
            take(made.value);
            changed('layout');
        });
        return made;
    }

    get open() {
        return !STATE.folded.has(this.spec.name);
    }

    /** Sizes of the plot area; reads the layout once. */
    measure() {
        this.left = leftMargin();
        const all = this.plot.clientWidth;
        // A histogram has its figures beside it where there is room, else above it.
        const beside = Boolean(this.spec.forms) && !this.spec.time && all >= 780;
        const figures = this.runs.length > 1 ? FIGURES_WIDTH_RUNS : FIGURES_WIDTH;
        const right = MARGIN.right + (beside ? figures : 0);
        this.width = Math.max(40, Math.floor(all - this.left - right));
        this.height = this.spec.height;
        if (this.spec.forms && (this.beside !== beside || !this.figures.isConnected)) {
            this.beside = beside;
            this.plot.classList.toggle('beside', beside);
            if (beside) {
                this.plot.append(this.figures);
            } else {
                this.plot.before(this.figures);
            }
        }
    }

    showFold() {
        this.button.setAttribute('aria-expanded', String(this.open));
        this.element.classList.toggle('folded', !this.open);
    }

    /** Entries of the legend are switches. */
    showLegend(colours) {
        const entries = this.spec.legend(this.runs);
        const had = this.legend.querySelectorAll('button');
        const same = had.length === entries.length && entries.every((entry, i) => had[i].dataset.key === entry.key);
        if (!same) {
            this.legend.replaceChildren(...entries.map((entry) => {
                const swatch = element('span', { class: 'swatch ' + entry.form, 'aria-hidden': 'true' });
                const made = element('button', { type: 'button', 'data-key': entry.key }, swatch, entry.label);
                made.addEventListener('click', () => {
                    toggle(STATE.hidden, entry.key);
                    changed('legend');
                });
                return made;
            }));
        }
        this.legend.querySelectorAll('button').forEach((made, i) => {
            made.setAttribute('aria-pressed', String(!STATE.hidden.has(entries[i].key)));
            made.firstChild.style.setProperty('--colour', (this.runs.length > 2 ? colours.neutral : colours.first)[entries[i].colour]);
        });
    }

    /** Draws what was computed of the parts; frame has { top, low, high } of all columns. */
    paint(parts, datas, frame, colours) {
        const plane = this.planeOf(parts[0], frame);
        const context = this.context();
        const ticks = this.ticksOf(plane, frame);
        this.showAxes(plane, ticks);
        if (this.spec.time) {
            parts.forEach((part) => paintLosses(context, plane, part.run.losses, colours.first.loss));
        }
        this.marks = 0;
        parts.forEach((part, i) => {
            this.marks += this.spec.paint(context, plane, part, datas[i]);
        });
        this.shown = { plane, parts, datas };
        this.showDetail(parts, datas);
        this.showFigures(parts, datas);
        this.describe(parts, plane);
    }

    planeOf(part, frame) {
        const { view } = part;
        const { axis, time } = this.spec;
        const [low, high] = frame.low <= frame.high ? [frame.low, frame.high + 1] : [0, 1];
        const [t0, t1] = time ? [view.t0, view.t1] : [low, high];
        if (axis === 'offset') {
            return new Plane(this.width, this.height, t0, t1, ...rangeOf(view));
        }
        if (axis === 'log') {
            return new Plane(this.width, this.height, t0, t1, low, high);
        }
        // Of less than one request the axis would have nothing but a zero.
        const top = axis === 'count' ? Math.max(1, frame.top) : frame.top || 1;
        const plane = axis === 'logcount'
            ? new Plane(this.width, this.height, t0, t1, Math.log10(0.5), Math.log10(Math.max(top, 2)) * 1.05 + 0.05)
            : new Plane(this.width, this.height, t0, t1, 0, top * 1.08);
        plane.scaleY = axis === 'logcount' ? (count) => plane.y(Math.log10(count)) : (count) => plane.y(count);
        return plane;
    }

    context() {
        const ratio = window.devicePixelRatio || 1;
        const { canvas } = this;
        const width = Math.round(this.width * ratio);
        const height = Math.round(this.height * ratio);
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
        }
        for (const part of [canvas, this.over]) {
            part.style.left = this.left + 'px';
            part.style.top = MARGIN.top + 'px';
            part.style.width = this.width + 'px';
            part.style.height = this.height + 'px';
        }
        const context = canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, this.width, this.height);
        return context;
    }

    ticksOf(plane, frame) {
        const { axis, time, valueTicks } = this.spec;
        const rows = Math.max(2, Math.round(this.height / 26));
        const columns = Math.max(2, Math.round(this.width / 110));
        const x = time ? timeTicks(plane.t0, plane.t1, columns) : valueTicks(frame.low, frame.high);
        let y;
        if (axis === 'offset' || axis === 'bytes' || axis === 'rate') {
            y = byteTicks(plane.o0, plane.o1, rows, axis === 'rate' ? '/s' : '', (text) => textWidth(text) <= this.left - 8);
        } else if (axis === 'log') {
            y = valueTicks(frame.low, frame.high);
        } else if (axis === 'logcount') {
            y = d3.range(0, Math.floor(plane.o1) + 1)
                .map((exponent) => ({ value: exponent, text: formatShortCount(Math.pow(10, exponent)) }));
        } else {
            y = countTicks(plane.o0, plane.o1, rows);
        }
        return { x: time ? thinnedTimes(x, (tick) => plane.x(tick.value)) : thinned(x, (tick) => plane.x(tick.value), 52), y: thinned(y, (tick) => -plane.y(tick.value), 13) };
    }

    showAxes(plane, ticks) {
        const { left, width, height } = this;
        const svg = d3.select(this.axes).attr('width', left + width + MARGIN.right)
            .attr('height', height + MARGIN.top + MARGIN.bottom);
        const lines = ticks.y.map((tick) => [left, left + width, crisp(plane.y(tick.value) + MARGIN.top), 0])
            .concat(ticks.x.map((tick) => [crisp(left + plane.x(tick.value)), 0, MARGIN.top, MARGIN.top + height]));
        svg.selectAll('line').data(lines).join('line').attr('class', 'grid')
            .attr('x1', (line) => line[0]).attr('x2', (line) => line[1] || line[0])
            .attr('y1', (line) => line[2]).attr('y2', (line) => line[3] || line[2]);
        svg.selectAll('rect').data([0]).join('rect').attr('class', 'edge').attr('x', left - 0.5)
            .attr('y', MARGIN.top - 0.5).attr('width', width + 1).attr('height', height + 1);
        svg.selectAll('text.y').data(ticks.y).join('text').attr('class', (tick) => (tick.wide ? 'y wide' : 'y')).attr('x', (tick) => (tick.wide ? 1 : left - 7))
            .attr('y', (tick) => plane.y(tick.value) + MARGIN.top + 3.5).text((tick) => tick.text);
        svg.selectAll('text.x').data(ticks.x).join('text').attr('class', 'x')
            .attr('x', (tick) => Math.max(tick.wide ? 46 : 0, Math.min(left + plane.x(tick.value), left + width - 14)))
            .attr('y', height + MARGIN.top + 14).text((tick) => tick.text);
    }

    showDetail(parts, datas) {
        const merged = datas.some((data, i) => data.exact === undefined ? !parts[i].table.exact : !data.exact);
        const words = [];
        datas.forEach((data) => {
            if (data.detail && !words.includes(data.detail)) {
                words.push(data.detail);
            }
        });
        if (merged) {
            const tables = Array.from(new Set(parts.map((part) => levelWords(part.table))));
            words.push(this.spec.time ? tables.join('; ') : 'in classes 25 % wide');
        }
        this.detail.textContent = words.join(', ');
        this.detail.classList.toggle('merged', merged);
    }

    /** Percentiles of a distribution. */
    showFigures(parts, datas) {
        const rows = [];
        datas.forEach((data, i) => {
            (data.figures || []).forEach((figures, curve) => {
                if (figures.events.value > 0) {
                    const label = (parts.length > 1 ? parts[i].run.label + ': ' : '') + data.curves[curve].label;
                    const cell = (figure, sign, format) => element('td', { text: figure === null ? '-'
                        : (figure.exact ? '' : sign + '\u202f') + format(figure.value) });
                    const bound = (figure) => cell(figure, '\u2264', this.spec.format);
                    rows.push(element('tr', {}, element('th', { scope: 'row', text: shorten(label, 30) }),
                        cell(figures.events, '\u2248', formatShortCount), bound(figures.p50), bound(figures.p90),
                        bound(figures.p99), bound(figures.most)));
                }
            });
        });
        this.figures.hidden = rows.length === 0;
        if (rows.length > 0) {
            const head = ['', 'n', 'p50', 'p90', 'p99', 'max'].map((word) => element('th', { scope: 'col', text: word }));
            this.figures.replaceChildren(element('table', {}, element('thead', {}, element('tr', {}, ...head)),
                element('tbody', {}, ...rows)));
        }
    }

    /** A summary in words, for those who do not see the picture. */
    describe(parts, plane) {
        let text = this.spec.title + '. ' + formatCount(this.marks) + ' marks';
        if (this.spec.time) {
            text += ' from ' + formatTime(plane.t0) + ' to ' + formatTime(plane.t1);
        }
        if (this.spec.axis === 'offset') {
            text += ', offsets ' + formatBytes(plane.o0) + ' to ' + formatBytes(plane.o1);
        }
        text += '. ' + (this.detail.textContent || 'every event') + '. ' + parts.map((part) => part.run.label).join(', ')
            + '. Comma and full stop go from event to event.';
        this.canvas.setAttribute('aria-label', text);
    }

    /** Places of the panel's plot area from client coordinates. */
    pointOf(event) {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }
}

const MEASURE = document.createElement('canvas').getContext('2d');

/** CSS pixels of a label of an axis. */
function textWidth(text) {
    MEASURE.font = '11px ' + getComputedStyle(document.body).fontFamily;
    return MEASURE.measureText(text).width;
}

function crisp(value) {
    return Math.round(value - 0.5) + 0.5;
}

/** Ticks of a time axis; the long one in front of far ones needs more room. */
function thinnedTimes(ticks, place) {
    const kept = thinned(ticks, place, 52);
    return kept.filter((tick, i) => i === 0 || !kept[0].wide || place(tick) - place(kept[0]) > 80);
}

/** Ticks that stand far enough apart. */
function thinned(ticks, place, least) {
    let last = -Infinity;
    return ticks.filter((tick) => {
        const at = place(tick);
        if (at - last < least) {
            return false;
        }
        last = at;
        return true;
    });
}
