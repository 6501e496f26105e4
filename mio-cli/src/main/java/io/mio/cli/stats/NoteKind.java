package io.mio.cli.stats;

import java.util.Locale;

/** What a note can be about, and what one could do, in the order of the output. */
enum NoteKind {
    ERRORS(
            "calls that failed",
            "Look at the names of the errors: what the program does not say may be in them."),
    UNFINISHED(
            "report cut off",
            "The last report of these opens was made while the program ran: it was killed, or still"
                    + " runs, and what came later is missing; or it became another program (exec),"
                    + " and nothing is."),
    TINY_REQUESTS(
            "tiny requests",
            "A call costs about as much for a few bytes as for some thousand. Collect them: a"
                    + " larger buffer (BufferedOutputStream, setvbuf), or pf, which does it for the"
                    + " program."),
    BACKWARD(
            "backward passes",
            "Systems read ahead forward only, so each of these reads waits. pf recognises backward"
                    + " passes: add pf to the rule of the file."),
    STRIDED(
            "strided passes",
            "Steps of one width are not read ahead by the system. pf recognises them: add pf to the"
                    + " rule of the file, with pages not much larger than a record."),
    MANY_SEEKS(
            "many seeks",
            "The program goes elsewhere before most requests. If it goes backward or by strides, pf"
                + " reads ahead of it; if at random, a cache helps that holds what is used again."),
    READ_AGAIN(
            "read again and again",
            "More is read than the file has. Keep it in the program, or give pf a cache in which it"
                    + " fits."),
    MANY_OPENS(
            "many opens of one file",
            "Each open asks the file system for the name and ends what was read ahead. Keep the"
                    + " file open."),
    EXTENSIONS(
            "extended piece by piece",
            "The file grows with each call, and the file system finds space each time. Write larger"
                    + " pieces, reserve the size first (fallocate), or let pf collect the writes."),
    FSYNCS(
            "time in fsync",
            "Each one waits for the device. Sync once per batch rather than once per record, if the"
                    + " program's promises allow it."),
    ILL_FORMED(
            "ill-formed direct requests",
            "Offset, length or memory of a request is no multiple of the sector: it cannot go"
                    + " direct. Align it, or leave direct to pf, which aligns."),
    UNUSED_PREFETCHES(
            "pages read ahead for nothing",
            "The program does not read in sequence for long, or the cache is too small for the"
                    + " distance: a larger cache= or a smaller pref=, or pref=auto."),
    PREFETCH_WAITS(
            "waits for pages being read ahead",
            "Reading ahead does not keep up: a larger pref= (or pref=auto), or the device is at its"
                    + " limit."),
    SUSPENDS(
            "waits for asynchronous requests",
            "The program is faster than the requests below it: a larger distance (pref=) lets more"
                    + " of them overlap, unless the device is at its limit."),
    READ_AMPLIFICATION(
            "pf reads more than the program",
            "Pages are read and not used: a smaller page=, or a larger cache= so that they stay"
                    + " until they are used."),
    WRITE_AMPLIFICATION(
            "pf writes more than the program",
            "Pages are written several times or with more than was changed: a larger cache=, or a"
                    + " smaller page=."),
    FORCED_SYNCS(
            "pages synced because of ill-formed writes",
            "The program writes parts of sectors: pffw reads pages first and avoids that."),
    UNCLOSED(
            "not closed",
            "The program ended with these files open. The figures of this process are complete;"
                    + " a child that inherited them is not counted, and errors of the last"
                    + " writes may go unseen.");

    private final String title;
    private final String advice;

    NoteKind(String title, String advice) {
        this.title = title;
        this.advice = advice;
    }

    /** Returns what the note is about, in plain words. */
    String title() {
        return title;
    }

    /** Returns what one could do. */
    String advice() {
        return advice;
    }

    /** Returns the name as in the JSON. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
