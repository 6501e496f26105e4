// Amounts for people: three figures that count, and a unit; and round values for axes.

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Three figures at least: 1.50, 15.0, 150. */
function figures(amount) {
    return amount < 9.995 ? amount.toFixed(2) : amount < 99.95 ? amount.toFixed(1) : amount.toFixed(0);
}

/** 512 B, 1.50 MiB. */
function formatBytes(bytes) {
    if (bytes < 0) {
        return '\u2212' + formatBytes(-bytes);
    }
    if (bytes < 1024) {
        return (Number.isInteger(bytes) ? bytes : figures(bytes)) + ' B';
    }
    let unit = 0;
    while (bytes >= 1023.5 && unit < BYTE_UNITS.length - 1) {
        bytes /= 1024;
        unit++;
    }
    return figures(bytes) + ' ' + BYTE_UNITS[unit];
}

/** 1.50 MiB, and all digits where they say more: 1.50 MiB (1 572 864). */
function formatBytesExactly(bytes) {
    return bytes < 1024 ? formatBytes(bytes) : formatBytes(bytes) + ' (' + formatCount(bytes) + ')';
}

/** Bytes per second, binary: 1.50 MiB/s; - where no time passed. */
function formatRate(bytesPerSecond) {
    return Number.isFinite(bytesPerSecond) ? formatBytes(bytesPerSecond) + '/s' : '-';
}

/** Bytes per second, decimal: 157 MB/s. */
function formatDecimalRate(bytesPerSecond) {
    if (!Number.isFinite(bytesPerSecond)) {
        return '-';
    }
    const units = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];
    let unit = 0;
    while (bytesPerSecond >= 999.5 && unit < units.length - 1) {
        bytesPerSecond /= 1000;
        unit++;
    }
    return figures(bytesPerSecond) + ' ' + units[unit];
}

/** A time in nanoseconds: 850 ns, 12.0 µs, 1.50 s, 2:05 min. */
function formatTime(nanos) {
    if (nanos < 0) {
        return '\u2212' + formatTime(-nanos);
    }
    if (nanos < 999.5) {
        return (Number.isInteger(nanos) ? nanos : figures(nanos)) + ' ns';
    }
    if (nanos < 999500) {
        return figures(nanos / 1e3) + ' µs';
    }
    if (nanos < 999.5e6) {
        return figures(nanos / 1e6) + ' ms';
    }
    if (nanos < 99.95e9) {
        return figures(nanos / 1e9) + ' s';
    }
    const seconds = Math.round(nanos / 1e9);
    const two = (value) => String(value).padStart(2, '0');
    return seconds < 3600
        ? Math.floor(seconds / 60) + ':' + two(seconds % 60) + ' min'
        : Math.floor(seconds / 3600) + ':' + two(Math.floor(seconds / 60) % 60) + ':' + two(seconds % 60) + ' h';
}

/** A moment in seconds with all its digits, as mio events has it: 1.234567890 s. */
function formatMoment(nanos) {
    const whole = Math.round(Math.abs(nanos));
    const rest = String(whole % 1e9).padStart(9, '0');
    return (nanos < 0 ? '-' : '') + Math.floor(whole / 1e9) + '.' + rest + ' s';
}

/** A moment of a window with as many digits as tell it apart there, in the unit of the window's end: 1.0977 s. */
function formatWithin(nanos, from, to) {
    const span = to - from;
    const unit = to < 1e6 ? 1e3 : to < 1e9 ? 1e6 : 1e9;
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(Math.max(span, 1) / unit / 200))));
    // What rounds to nothing has no sign.
    return grouped((nanos / unit).toFixed(digits).replace(/^-(?=[0.]*$)/, '')) + ' ' + { 1e3: 'µs', 1e6: 'ms', 1e9: 's' }[unit];
}

/** A count with its digits in groups: 1 234 567. */
function formatCount(count) {
    return Math.round(count).toString().replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

/** A count in little room: 950, 12.3k, 4.50M. */
function formatShortCount(count) {
    if (count < 10000) {
        return Number.isInteger(count) ? String(count) : figures(count);
    }
    const units = ['', 'k', 'M', 'G', 'T', 'P'];
    let unit = 0;
    while (count >= 999.5 && unit < units.length - 1) {
        count /= 1000;
        unit++;
    }
    return figures(count) + units[unit];
}

/** Of 0 to 1: 97.3 %; - where it is not a number. */
function formatShare(share) {
    if (!Number.isFinite(share)) {
        return '-';
    }
    const percent = 100 * share;
    return percent.toFixed(percent > 0 && percent < 99.95 ? 1 : 0) + ' %';
}

/** 1.79x, 120x; - where there is nothing to compare with. */
function formatRatio(ratio) {
    return Number.isFinite(ratio) ? figures(ratio) + '\u00d7' : '-';
}

/** What is longer than so many characters loses its middle, because names differ at the end. */
function shorten(text, most) {
    const points = Array.from(text);
    if (points.length <= most) {
        return text;
    }
    const left = Math.floor((most - 1) / 3);
    return points.slice(0, left).join('') + '\u2026' + points.slice(points.length - (most - 1 - left)).join('');
}

/** Where time zero is so many times further away than a window is long, ticks tell how far they are from the first one. */
const FAR = 1000;

function farTicks(from, to, count) {
    const step = d3.tickStep(0, to - from, count);
    const first = Math.ceil(from / Math.max(1, step)) * Math.max(1, step);
    const ticks = timeTicks(0, Math.max(0, to - first), count)
        .map((tick) => ({ value: first + tick.value, text: '+' + tick.text }));
    return ticks.map((tick, i) => (i === 0 ? { value: first, text: formatMoment(first), wide: true } : tick));
}

/** Ticks of a time axis: values in nanoseconds, and a text for each. */
function timeTicks(from, to, count) {
    const span = Math.max(to - from, 1);
    if (Math.max(Math.abs(from), Math.abs(to)) > FAR * span) {
        return farTicks(from, to, count);
    }
    let unit = span < 3e3 ? 1 : span < 3e6 ? 1e3 : span < 3e9 ? 1e6 : 1e9;
    // 5.2 s, and not 5 200 ms, where three digits behind the point are enough.
    if (unit < 1e9 && Math.max(Math.abs(from), Math.abs(to)) >= 3e3 * unit && d3.tickStep(from, to, count) >= unit) {
        unit *= 1e3;
    }
    const name = { 1: 'ns', 1e3: 'µs', 1e6: 'ms', 1e9: 's' }[unit];
    if (span >= 180e9) {
        return clockTicks(from, to, count);
    }
    const values = d3.ticks(from / unit, to / unit, count).filter((value) => unit > 1 || Number.isInteger(value));
    const step = values.length > 1 ? values[1] - values[0] : 1;
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return values.map((value) => ({ value: value * unit, text: grouped(value.toFixed(digits)) + ' ' + name }));
}

/** Minutes and hours: 2:30, 1:02:30. */
function clockTicks(from, to, count) {
    const steps = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
    const wanted = (to - from) / 1e9 / count;
    const step = steps.find((one) => one >= wanted) || 86400 * Math.ceil(wanted / 86400);
    const ticks = [];
    for (let at = Math.ceil(from / 1e9 / step) * step; at * 1e9 <= to; at += step) {
        const two = (value) => String(value).padStart(2, '0');
        const hours = Math.floor(at / 3600);
        const rest = two(Math.floor(at / 60) % 60) + ':' + two(at % 60);
        ticks.push({ value: at * 1e9, text: to >= 3600e9 ? hours + ':' + rest : Math.floor(at / 60) + ':' + two(at % 60) });
    }
    return ticks;
}

/** Bytes in the largest unit that needs no more than three digits behind the point. */
function exactBytes(bytes, suffix) {
    let unit = BYTE_UNITS.length - 1;
    while (unit > 0 && (bytes < Math.pow(1024, unit) || bytes % (Math.pow(1024, unit) / 8) !== 0)) {
        unit--;
    }
    return grouped(String(bytes / Math.pow(1024, unit))) + ' ' + BYTE_UNITS[unit] + suffix;
}

/**
 * Ticks of an axis of bytes: steps are powers of two. Where labels do not fit, only the first one is whole, and the others
 * tell how many bytes more they are.
 */
function byteTicks(from, to, count, suffix, fits) {
    const wanted = Math.max((to - from) / count, 1);
    const step = Math.pow(2, Math.ceil(Math.log2(wanted)));
    let unit = 0;
    while (unit < BYTE_UNITS.length - 1 && step >= Math.pow(1024, unit + 1) / 8 && to >= Math.pow(1024, unit + 1)) {
        unit++;
    }
    const size = Math.pow(1024, unit);
    const digits = Math.max(0, Math.ceil(-Math.log2(step / size)));
    const ticks = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
        ticks.push({ value: at, text: grouped((at / size).toFixed(digits)) + ' ' + BYTE_UNITS[unit] + (suffix || '') });
    }
    if (fits === undefined || ticks.length === 0 || ticks[0].value <= 0 || ticks.every((tick) => fits(tick.text))) {
        return ticks;
    }
    const first = ticks[0].value;
    const rest = byteTicks(0, ticks[ticks.length - 1].value - first, ticks.length - 1, suffix);
    return ticks.map((tick, i) => {
        const text = i === 0 ? exactBytes(first, suffix || '') : '+' + rest[i].text;
        return { value: tick.value, text, wide: !fits(text) };
    });
}

/** Ticks of an axis of counts: whole numbers. */
function countTicks(from, to, count) {
    return d3.ticks(from, to, count).filter((value) => Number.isInteger(value))
        .map((value) => ({ value, text: formatShortCount(value) }));
}

/** Digits before the point in groups of three. */
function grouped(text) {
    const [whole, rest] = text.split('.');
    return whole.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f') + (rest ? '.' + rest : '');
}

const ERRORS = ('EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY'
    + ' EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE'
    + ' EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP').split(' ');
const MORE_ERRORS = { 61: 'ENODATA', 75: 'EOVERFLOW', 95: 'EOPNOTSUPP', 110: 'ETIMEDOUT', 111: 'ECONNREFUSED',
    112: 'EHOSTDOWN', 113: 'EHOSTUNREACH', 116: 'ESTALE', 117: 'EUCLEAN', 121: 'EREMOTEIO', 122: 'EDQUOT',
    125: 'ECANCELED' };

/** Name of an error by its number in Linux: ENOSPC. */
function errorName(errno) {
    return errno === 0 ? 'error not known' : ERRORS[errno - 1] || MORE_ERRORS[errno] || 'error ' + errno;
}
