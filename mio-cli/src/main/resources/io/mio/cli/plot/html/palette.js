// Colours after Okabe and Ito, which people who are colour-blind tell apart; on dark ground lighter tints of equal hue,
// and on light ground darker ones where contrast would be less than 3 to 1.

const PALETTES = {
    light: {
        ground: '#ffffff', text: '#1b1f24', muted: '#5b6570', grid: '#e7eaee', edge: '#c6ccd3',
        READ: '#0072B2', WRITE: '#D55E00', ASYNC_READ: '#3596D4', ASYNC_WRITE: '#BF8400',
        OTHER: '#5b6570', FAILED: '#CC79A7',
        PAGE_READING: '#3596D4', PAGE_PREFETCHED: '#009E73', PAGE_UNUSED: '#CC79A7', PAGE_DEMANDED: '#0072B2',
        PAGE_PREPARED: '#BF8400', PAGE_WRITING: '#8A5F00', PAGE_HIT: '#1b1f24', PAGE_MISS: '#D55E00',
        PAGE_WAIT: '#8A2E00', PAGE_EVICTED: '#5b6570',
        band: 'rgba(0, 114, 178, 0.14)', loss: 'rgba(91, 101, 112, 0.35)', slope: '#1b1f24',
    },
    dark: {
        ground: '#14171a', text: '#e6e8ea', muted: '#9aa4ae', grid: '#23282d', edge: '#3b434b',
        READ: '#4AA8E0', WRITE: '#FF8A4A', ASYNC_READ: '#9AD4F7', ASYNC_WRITE: '#FFC24D',
        OTHER: '#9aa4ae', FAILED: '#E5A5C8',
        PAGE_READING: '#9AD4F7', PAGE_PREFETCHED: '#2CC79B', PAGE_UNUSED: '#E5A5C8', PAGE_DEMANDED: '#4AA8E0',
        PAGE_PREPARED: '#FFC24D', PAGE_WRITING: '#FFEAC2', PAGE_HIT: '#e6e8ea', PAGE_MISS: '#FF8A4A',
        PAGE_WAIT: '#FFD0B5', PAGE_EVICTED: '#9aa4ae',
        band: 'rgba(74, 168, 224, 0.22)', loss: 'rgba(154, 164, 174, 0.35)', slope: '#e6e8ea',
    },
};

/** Of three and more runs that lie over one another each has a hue, and its lines have dashes. */
const RUN_HUES = ['READ', 'WRITE', 'PAGE_PREFETCHED', 'FAILED', 'ASYNC_READ', 'ASYNC_WRITE', 'OTHER'];
const RUN_DASHES = [[], [8, 4], [2, 2], [12, 3, 2, 3], [5, 2]];

/** Tints of a hue, where hues stand for runs: above 0 towards the text, below 0 towards the ground. */
const TINTS = {
    READ: 0, WRITE: 0.45, ASYNC_READ: -0.35, ASYNC_WRITE: 0.2, OTHER: -0.5, FAILED: 0, PAGE_READING: -0.5,
    PAGE_PREFETCHED: 0, PAGE_UNUSED: -0.35, PAGE_DEMANDED: 0.3, PAGE_PREPARED: 0.2, PAGE_WRITING: 0.55, PAGE_HIT: 0.7,
    PAGE_MISS: 0.45, PAGE_WAIT: 0.55, PAGE_EVICTED: -0.5,
};

function tintsOf(first, hue) {
    const made = { ...first };
    for (const [name, tint] of Object.entries(TINTS)) {
        made[name] = d3.interpolateRgb(hue, tint < 0 ? first.ground : first.text)(Math.abs(tint));
    }
    return made;
}

/** Colours of one of many runs. */
function runColours(colours, index) {
    return colours.runs[index % colours.runs.length];
}

/** Colours of a theme; of the second of two runs another tint of each, of each of many runs those of a hue. */
function paletteOf(theme) {
    const first = PALETTES[theme];
    const second = {};
    for (const [name, colour] of Object.entries(first)) {
        second[name] = /^[A-Z]/.test(name) ? d3.interpolateRgb(colour, theme === 'dark' ? '#ffffff' : '#000000')(0.45) : colour;
    }
    const runs = RUN_HUES.map((name) => tintsOf(first, first[name]));
    return { theme, first, second, runs, neutral: tintsOf(first, first.OTHER) };
}

/** A colour that lets through what lies below it. */
function translucent(colour, opacity) {
    const made = d3.color(colour);
    made.opacity = opacity;
    return made.formatRgb();
}
