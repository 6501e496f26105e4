// Words for an event, and elements with text: text from outside only ever becomes a text node.

/** An element with attributes and children; strings become text. */
function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) {
            continue;
        }
        if (key === 'text') {
            made.textContent = value;
        } else {
            made.setAttribute(key, value === true ? '' : value);
        }
    }
    made.append(...children.filter((child) => child !== null));
    return made;
}

/** A name from outside, whose direction of writing does not reach beyond it. */
function nameElement(text, most, whole) {
    const seen = visible(text);
    return element('bdi', { class: 'name', title: whole || seen, text: most ? shorten(seen, most) : seen });
}

/** A name that could be taken for nothing, or for a shorter one, stands in quotes. */
function visible(text) {
    return text !== '' && text.trim() === text ? text : '\'' + text + '\'';
}

/** What a mark is called: read, prefetch issued, 12 reads. */
function markTitle(run, table, row) {
    const series = run.series[table.series[row]];
    const what = WHATS[series.what];
    const page = what.name.startsWith('PAGE_');
    if (table.events[row] === 1) {
        if (what.name === 'FAILED') {
            return callName(series, table.code[row]) + ', failed';
        }
        return page ? what.label : what.name === 'OTHER' ? callName(series, table.code[row]) : what.label;
    }
    return formatCount(table.events[row]) + ' \u00d7 ' + what.label;
}

function callName(series, code) {
    return (series.stage === 'CACHE' ? META.pages[code] : META.calls[code]) || 'call';
}

/** All that is known of a mark: pairs of a word and a text. */
function markFacts(run, table, row) {
    const series = run.series[table.series[row]];
    const single = table.events[row] === 1;
    const facts = [['file', visible(run.files[series.file].path)], ['seen', META.stages[series.stage]]];
    const duration = table.end[row] - table.start[row];
    if (single) {
        singleFacts(facts, run, table, row, series);
    } else {
        facts.push(['bytes', formatBytesExactly(table.bytes[row])]);
        if (table.offset[row] >= 0) {
            facts.push([table.shape[row] === SHAPE.LINE ? 'offsets' : 'within',
                formatCount(table.offset[row]) + ' \u2192 ' + formatCount(table.offsetEnd[row])]);
        }
    }
    facts.push(['start', formatMoment(ownTime(run, table.start[row]))]);
    if (RUNS.length > 1) {
        facts.push(['since its first event', formatMoment(table.start[row] - BEGIN)]);
    }
    facts.push([single ? 'duration' : 'from first to last', formatTime(duration)]);
    if (!single) {
        facts.push(['time in them', formatTime(table.busy[row])]);
        facts.push(['longest', formatTime(table.longest[row])]);
    }
    if (table.bytes[row] > 0 && duration > 0 && isTransfer(series.what)) {
        facts.push([single ? 'rate' : 'mean rate', formatRate(table.bytes[row] / duration * 1e9)]);
    }
    facts.push(['process', table.process[row] < 0 ? 'several' : String(table.process[row])]);
    facts.push(['thread', table.thread[row] < 0 ? 'several' : String(table.thread[row])]);
    return facts;
}

function singleFacts(facts, run, table, row, series) {
    const what = WHATS[series.what].name;
    if (what.startsWith('PAGE_') || what === 'FAILED') {
        facts.push(['operation', callName(series, table.code[row])]);
    }
    if (table.offset[row] >= 0) {
        facts.push(['offset', formatCount(table.offset[row])
            + (table.offset[row] >= 1024 ? ' (' + formatBytes(table.offset[row]) + ')' : '')]);
    }
    if (table.requested[row] >= 0 && what !== 'OTHER') {
        facts.push([series.stage === 'CACHE' ? 'bytes' : 'asked for', formatBytesExactly(table.requested[row])]);
    }
    if (isTransfer(series.what)) {
        facts.push(['delivered', formatBytesExactly(table.bytes[row])]);
    }
    if (what === 'FAILED' || table.errno[row] !== 0) {
        facts.push(['error', errorName(table.errno[row])]);
    }
    if (series.stage === 'CACHE') {
        facts.push(['frame', formatCount(table.number[row])]);
    } else if (table.number[row] > 0) {
        facts.push(['request', formatCount(table.number[row])]);
    }
}

function isTransfer(what) {
    return isRead(what) || isWrite(what);
}

function isRead(what) {
    return what === WHAT.READ || what === WHAT.ASYNC_READ;
}

function isWrite(what) {
    return what === WHAT.WRITE || what === WHAT.ASYNC_WRITE;
}
