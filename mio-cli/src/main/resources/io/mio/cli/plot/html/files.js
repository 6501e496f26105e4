// The list of files: all together first, then each with its totals. Sorts, filters, chooses.

const FILE_COLUMNS = [
    { key: 'name', title: 'File', of: null },
    { key: 'opens', title: 'Opens', of: (figures) => figures.opens, format: formatShortCount },
    { key: 'bytes', title: 'Bytes', of: (figures) => figures.bytes, format: formatBytes },
    { key: 'calls', title: 'Calls', of: (figures) => figures.calls, format: formatShortCount },
    { key: 'rate', title: 'Rate', of: (figures) => figures.rate, format: formatRate },
    { key: 'hits', title: 'Hits', of: (figures) => figures.hits, format: formatShare },
];

const LIST = { sort: 'bytes', down: true, filter: '' };

/** What a list shows of one file of a run, or of all: busy has the time of all, by stage. */
function figuresOf(files, busy) {
    const stages = new Set();
    const sum = { opens: 0, bytes: 0, calls: 0, nanos: 0, hits: 0, misses: 0 };
    for (const file of files) {
        const stage = ['PROGRAM', 'BETWEEN', 'SYSTEM'].find((one) => file.totals[one]);
        const totals = file.totals[stage];
        sum.opens += file.opens;
        if (totals) {
            stages.add(stage);
            sum.bytes += totals.read_bytes + totals.write_bytes;
            sum.calls += totals.reads + totals.writes + totals.others + totals.failed;
            sum.nanos += totals.busy_nanos;
        }
        const cache = file.totals.CACHE;
        if (cache) {
            sum.hits += cache.hits;
            sum.misses += cache.misses;
        }
    }
    // Times overlap: that of all files is not the sum of theirs, and of several stages there is none.
    const nanos = stages.size > 1 ? NaN : busy ? busy[Array.from(stages)[0]] : sum.nanos;
    return { opens: sum.opens, bytes: sum.bytes, calls: sum.calls, rate: sum.bytes / nanos * 1e9,
        hits: sum.hits / (sum.hits + sum.misses) };
}

function buildFileList() {
    const host = document.getElementById('file-list');
    const filter = element('input', { type: 'search', placeholder: 'Filter files (f)', 'aria-label': 'Filter files' });
    filter.addEventListener('input', () => {
        LIST.filter = filter.value;
        showFileList();
    });
    // Roles are said, because rows are laid out in two lines.
    LIST.head = element('tr', { role: 'row' }, ...FILE_COLUMNS.map((column) => {
        const button = element('button', { type: 'button', 'data-sort': column.key, text: column.title });
        button.addEventListener('click', () => sortBy(column.key));
        return element('th', { scope: 'col', role: 'columnheader', class: column.of ? 'number' : '' }, button);
    }));
    LIST.body = element('tbody', { role: 'rowgroup' });
    LIST.count = element('span', { class: 'muted' });
    LIST.more = element('div', { class: 'where muted more', hidden: true });
    const close = element('button', { type: 'button', class: 'close', 'aria-label': 'Close the list of files' }, '\u00d7');
    close.addEventListener('click', () => toggleFiles(false));
    const where = directory === '' ? null
        : element('div', { class: 'where muted' }, 'in ', nameElement(directory, 46));
    host.append(element('div', { class: 'filter' }, filter, LIST.count, close), ...(where === null ? [] : [where]), LIST.more,
        element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Files' },
            element('table', { role: 'table' }, element('thead', { role: 'rowgroup' }, LIST.head), LIST.body)));
}

function sortBy(key) {
    LIST.down = LIST.sort === key ? !LIST.down : key !== 'name';
    LIST.sort = key;
    showFileList();
}

function showFileList() {
    const wanted = LIST.filter.toLowerCase();
    const column = FILE_COLUMNS.find((one) => one.key === LIST.sort);
    const rows = FILES.map((file, key) => ({ file, key, figures: STATE.shown.map((run) =>
        (file.of[run] === null ? null : figuresOf([file.of[run]]))) }))
        .filter((row) => row.file.name.toLowerCase().includes(wanted) && row.figures.some((one) => one !== null));
    const value = (row) => (column.of === null ? row.file.name
        : d3.max(row.figures, (one) => (one === null ? NaN : column.of(one))));
    rows.sort((one, other) => compareValues(value(one), value(other)) * (LIST.down ? -1 : 1) || one.key - other.key);
    showCount(rows.filter((row) => !row.file.others).length);
    LIST.head.querySelectorAll('th').forEach((th, i) => {
        th.setAttribute('aria-sort', FILE_COLUMNS[i].key !== LIST.sort ? 'none' : LIST.down ? 'descending' : 'ascending');
    });
    LIST.body.replaceChildren(allRow(), ...rows.map((row) => fileRow(row)));
}

/** How many there are, and how many of them have a line. */
function showCount(shown) {
    const all = d3.max(RUNS, (run) => run.file_count);
    const listed = FILES.filter((file) => !file.others).length;
    const whole = Math.max(all, listed);
    const more = whole > listed;
    LIST.count.textContent = shown === whole ? formatCount(whole) + (whole === 1 ? ' file' : ' files')
        : formatCount(shown) + ' of ' + formatCount(whole) + (shown === listed ? ' files' : '');
    LIST.more.hidden = !more;
    LIST.more.textContent = 'The ' + formatCount(listed) + ' that moved most are listed, the others are drawn as one:'
        + ' mio plot --files GLOB shows others';
}

/** What is not known comes after all that is. */
function compareValues(one, other) {
    if (typeof one === 'string') {
        return d3.ascending(one, other);
    }
    const known = (value) => (value === undefined || Number.isNaN(value) ? -1 : value);
    return d3.ascending(known(one), known(other));
}

function allRow() {
    const figures = STATE.shown.map((run) => figuresOf(RUNS[run].files, RUNS[run].busy));
    const made = rowOf(element('span', { text: 'All files' }), figures, STATE.chosen === null, 'All files', () => {
        remember();
        STATE.chosen = null;
        changed('files');
    }, null);
    made.classList.add('all');
    made.dataset.file = 'all';
    return made;
}

function fileRow(row) {
    const chosen = STATE.chosen !== null && STATE.chosen.has(row.key);
    const made = rowOf(nameElement(row.file.short, 42, row.file.name), row.figures, chosen, row.file.name, () => {
        remember();
        STATE.chosen = new Set([row.key]);
        changed('files');
    }, () => {
        remember();
        const some = new Set(STATE.chosen || []);
        toggle(some, row.key);
        STATE.chosen = some.size === 0 ? null : some;
        changed('files');
    });
    made.dataset.file = String(row.key);
    return made;
}

/** A row: a box that adds or takes away, a name that chooses this one alone, and figures for each run. */
function rowOf(name, figures, chosen, label, only, add) {
    const box = element('input', { type: 'checkbox', 'aria-label': 'Show ' + label });
    box.checked = chosen;
    box.addEventListener('change', add || only);
    const button = element('button', { type: 'button', class: 'only', title: label }, name);
    button.addEventListener('click', (event) => ((event.ctrlKey || event.metaKey || event.shiftKey) && add ? add() : only()));
    const cells = FILE_COLUMNS.slice(1).map((column) => element('td', { role: 'cell' }, ...figures.map((one) =>
        element('div', { text: one === null ? '-' : textOf(column, one) }))));
    const made = element('tr', { role: 'row' }, element('th', { scope: 'row', role: 'rowheader' }, element('div', {}, box, button)), ...cells);
    made.classList.toggle('chosen', chosen);
    return made;
}

function textOf(column, figures) {
    const value = column.of(figures);
    return Number.isFinite(value) ? column.format(value) : '-';
}

/** Opens or closes the list; narrow pages have it as a drawer. */
function toggleFiles(open) {
    const body = document.body;
    const narrow = window.innerWidth < 900;
    const shows = narrow ? body.classList.contains('drawer') : !body.classList.contains('no-files');
    const will = open === undefined ? !shows : open;
    body.classList.toggle('drawer', narrow && will);
    body.classList.toggle('no-files', !narrow && !will);
    document.querySelector('[data-action=files]').setAttribute('aria-expanded', String(will));
    draw(false);
    if (will && narrow) {
        document.querySelector('#file-list input[type=search]').focus();
    }
}

/** One file needs no list; it opens by the button. */
function startFileList() {
    document.body.classList.toggle('no-files', FILES.length < 2 && window.innerWidth >= 900);
    document.querySelector('[data-action=files]').setAttribute('aria-expanded', String(FILES.length > 1));
}
