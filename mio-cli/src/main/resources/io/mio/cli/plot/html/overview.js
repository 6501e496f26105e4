// All of the run above the panels: what was moved over time, and the window in it, which can be dragged.

const OVERVIEW_HEIGHT = 34;

/** Marks of the level that it is drawn from, at most, unless there is but one. */
const OVERVIEW_MARKS = 100000;

class Overview {
    constructor(host, column) {
        this.column = column;
        this.canvas = element('canvas', { 'aria-hidden': 'true' });
        this.svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        this.svg.setAttribute('role', 'img');
        this.svg.setAttribute('aria-label', 'All of the run; drag the window, or its ends');
        this.box = element('div', { class: 'strip' }, this.canvas, this.svg);
        host.append(this.box);
        this.brush = d3.brushX().on('start', (event) => this.start(event)).on('brush', (event) => this.brushed(event))
            .on('end', (event) => this.end(event));
        this.group = d3.select(this.svg).append('g').attr('class', 'brush');
        this.ticks = d3.select(this.svg).append('g').attr('class', 'ticks');
    }

    measure() {
        this.left = leftMargin();
        this.width = Math.max(40, Math.floor(this.box.clientWidth - this.left - MARGIN.right));
        this.brush.extent([[0, 0], [this.width, OVERVIEW_HEIGHT]]);
        d3.select(this.svg).attr('width', this.left + this.width + MARGIN.right).attr('height', OVERVIEW_HEIGHT + 18);
        this.group.attr('transform', 'translate(' + this.left + ',2)');
        this.ticks.attr('transform', 'translate(' + this.left + ',0)');
    }

    draw() {
        this.measure();
        this.paint();
        const ticks = timeTicks(BEGIN, END, Math.max(2, Math.round(this.width / 110)));
        this.ticks.selectAll('text').data(thinnedTimes(ticks, (tick) => this.x(tick.value))).join('text')
            .attr('class', 'x').attr('y', OVERVIEW_HEIGHT + 14)
            .attr('x', (tick) => Math.min(this.x(tick.value), this.width - 14)).text((tick) => tick.text);
        this.showWindow();
    }

    x(t) {
        return (t - BEGIN) / SPAN * this.width;
    }

    showWindow() {
        const view = viewOf(this.column);
        const x = (t) => Math.max(0, Math.min(this.width, this.x(t)));
        const dims = [[0, x(view.t0)], [x(view.t1), this.width]];
        this.group.selectAll('rect.dim').data(dims).join('rect').attr('class', 'dim').attr('height', OVERVIEW_HEIGHT)
            .attr('x', (d) => d[0]).attr('width', (d) => Math.max(0, d[1] - d[0]));
        this.moving = true;
        this.group.call(this.brush);
        this.group.call(this.brush.move, [x(view.t0), Math.max(x(view.t1), x(view.t0) + 2)]);
        this.moving = false;
    }

    /** Reads upward, writes downward from the middle. */
    paint() {
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(this.width * ratio);
        this.canvas.height = OVERVIEW_HEIGHT * ratio;
        this.canvas.style.left = this.left + 'px';
        this.canvas.style.width = this.width + 'px';
        this.canvas.style.height = OVERVIEW_HEIGHT + 'px';
        const context = this.canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const count = Math.max(1, Math.floor(this.width / 2));
        const runs = (RENDER.columns[this.column] && !STATE.linked) ? RENDER.columns[this.column].runs
            : STATE.shown.map((index) => RUNS[index]);
        const curves = runs.filter((run) => run.tables[0] !== null).flatMap((run, index) => [
            { run, index, fits: isRead, colour: 'READ', values: this.valuesOf(run, isRead, count) },
            { run, index, fits: isWrite, colour: 'WRITE', values: this.valuesOf(run, isWrite, count) }]);
        const top = d3.max(curves, (curve) => d3.max(curve.values)) || 1;
        const writes = curves.some((curve) => curve.colour === 'WRITE' && d3.max(curve.values) > 0);
        const floor = writes ? OVERVIEW_HEIGHT / 2 : OVERVIEW_HEIGHT;
        for (const curve of curves) {
            const down = curve.colour === 'WRITE';
            const colour = lookOf(curve.run, runs).colours[curve.colour];
            context.fillStyle = translucent(colour, curves.length > 2 ? 0.45 : 0.7);
            curve.values.forEach((value, bin) => {
                const height = value / top * floor;
                context.fillRect(bin * this.width / count, down ? floor : floor - height, this.width / count, height);
            });
        }
    }

    valuesOf(run, fits, count) {
        const table = run.tables.filter((one) => one !== null && one.size <= OVERVIEW_MARKS).pop() || run.tables[0];
        const stage = stagesWithTransfers([run])[0];
        const keep = keptSeries(run, STATE.chosen);
        const wanted = run.series.map((series, index) => keep[index] && series.stage === stage && fits(series.what));
        const bins = new Bins(BEGIN, END, count);
        for (let row = 0; row < table.size; row++) {
            if (wanted[table.series[row]]) {
                bins.add(table.start[row], table.end[row], table.bytes[row]);
            }
        }
        return bins.finish();
    }

    start(event) {
        if (event.sourceEvent && !this.moving) {
            remember();
        }
    }

    brushed(event) {
        if (!event.sourceEvent || this.moving || event.selection === null) {
            return;
        }
        const [left, right] = event.selection;
        const view = viewOf(this.column);
        view.t0 = BEGIN + left / this.width * SPAN;
        view.t1 = Math.max(BEGIN + right / this.width * SPAN, view.t0 + LEAST_SPAN);
        changed('moving');
    }

    end(event) {
        if (event.sourceEvent && !this.moving) {
            changed('view');
        }
    }
}

let overviews = [];

function buildOverviews() {
    const host = document.getElementById('overview');
    host.replaceChildren();
    const count = STATE.linked ? 1 : RENDER.columns.length;
    overviews = d3.range(count).map((column) => new Overview(host, column));
    host.style.setProperty('--columns', String(count));
}

function drawOverviews() {
    overviews.forEach((overview) => overview.draw());
}
