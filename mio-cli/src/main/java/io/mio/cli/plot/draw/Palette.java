package io.mio.cli.plot.draw;

import io.mio.cli.plot.What;
import io.mio.cli.plot.draw.PictureOptions.Theme;
import java.util.List;

/**
 * Colours that people tell apart however they see them (Okabe and Ito's): lighter on a dark ground,
 * some darker on a light one; the same as those of the page.
 *
 * @param ground background of the picture
 * @param extreme black or white: what lies above other things is nearer to this
 * @param text text on the background
 * @param faint text of less weight
 * @param grid lines
 * @param frame around panels
 * @param read calls that read, and pages read on demand
 * @param write calls that write, and what costs time
 * @param asyncRead asynchronous reads
 * @param asyncWrite asynchronous writes, and pages that are written
 * @param failed what failed or was in vain
 * @param ahead pages that were read ahead and used
 * @param waiting waits for pages
 * @param writing pages on their way to the file
 */
record Palette(
        Ink ground,
        Ink extreme,
        Ink text,
        Ink faint,
        Ink grid,
        Ink frame,
        Ink read,
        Ink write,
        Ink asyncRead,
        Ink asyncWrite,
        Ink failed,
        Ink ahead,
        Ink waiting,
        Ink writing) {
    private static final Palette LIGHT =
            of(
                    0xffffff, 0x000000, 0x1b1f24, 0x5b6570, 0xe7eaee, 0xc6ccd3, 0x0072b2, 0xd55e00,
                    0x3596d4, 0xbf8400, 0xcc79a7, 0x009e73, 0x8a2e00, 0x8a5f00);

    private static final Palette DARK =
            of(
                    0x14171a, 0xffffff, 0xe6e8ea, 0x9aa4ae, 0x23282d, 0x3b434b, 0x4aa8e0, 0xff8a4a,
                    0x9ad4f7, 0xffc24d, 0xe5a5c8, 0x2cc79b, 0xffd0b5, 0xffeac2);

    private static Palette of(int... rgb) {
        return new Palette(
                Ink.of(rgb[0]),
                Ink.of(rgb[1]),
                Ink.of(rgb[2]),
                Ink.of(rgb[3]),
                Ink.of(rgb[4]),
                Ink.of(rgb[5]),
                Ink.of(rgb[6]),
                Ink.of(rgb[7]),
                Ink.of(rgb[8]),
                Ink.of(rgb[9]),
                Ink.of(rgb[10]),
                Ink.of(rgb[11]),
                Ink.of(rgb[12]),
                Ink.of(rgb[13]));
    }

    static Palette of(Theme theme) {
        return theme == Theme.DARK ? DARK : LIGHT;
    }

    Ink of(What what) {
        return switch (what) {
            case READ, PAGE_DEMANDED -> read;
            case WRITE, PAGE_MISS -> write;
            case PAGE_WAIT -> waiting;
            case PAGE_WRITING -> writing;
            case ASYNC_READ, PAGE_READING -> asyncRead;
            case ASYNC_WRITE, PAGE_PREPARED -> asyncWrite;
            case FAILED, PAGE_UNUSED -> failed;
            case PAGE_PREFETCHED -> ahead;
            case OTHER, PAGE_EVICTED -> faint;
            case PAGE_HIT -> text;
        };
    }

    /**
     * Returns the colour where runs lie one over the other. With two runs, all colours of the
     * second are nearer to black, or to white on dark. With more, each run has a hue of its own,
     * and what is done is a tint of it.
     *
     * @param run index of the run
     * @param runs number of runs that lie over one another; 1 if they do not
     */
    Ink of(What what, int run, int runs) {
        if (runs < 3) {
            return runs == 1 || run == 0 ? of(what) : of(what).towards(extreme, 0.45);
        }
        return tinted(hue(run), what);
    }

    /** Returns the hue of one of many runs, common to all that it did. */
    Ink hue(int run) {
        List<Ink> hues = List.of(read, write, ahead, failed, asyncRead, asyncWrite, faint);
        return hues.get(run % hues.size());
    }

    /** Returns the tint of a hue for what is done, where hues stand for runs. */
    Ink tinted(Ink hue, What what) {
        double tint =
                switch (what) {
                    case READ, PAGE_PREFETCHED, FAILED -> 0;
                    case WRITE, PAGE_MISS -> 0.45;
                    case ASYNC_READ, PAGE_UNUSED -> -0.35;
                    case ASYNC_WRITE, PAGE_PREPARED -> 0.2;
                    case PAGE_DEMANDED -> 0.3;
                    case PAGE_WRITING, PAGE_WAIT -> 0.55;
                    case PAGE_HIT -> 0.7;
                    case OTHER, PAGE_READING, PAGE_EVICTED -> -0.5;
                };
        return tint < 0 ? hue.towards(ground, -tint) : hue.towards(extreme, tint);
    }
}
