package io.mio.cli.plot;

import io.mio.events.EventHeader;
import java.util.List;
import java.util.Map;

/**
 * One run: what an events file tells, reduced to what can be drawn.
 *
 * @param label name of the run in pictures, unchecked text
 * @param source name of the events file
 * @param header header of the events file
 * @param programs names of the programs that moved most, unchecked text
 * @param beginNanos first moment that is drawn, since time zero
 * @param endNanos last moment
 * @param events number of events that are drawn, {@link Mark#events} of all marks of a level added
 *     up
 * @param files by bytes moved, most first; the others at the end
 * @param fileCount number of all files with events, including those that are drawn as one
 * @param busyNanos by stage: time in which at least one read or write of any file was under way
 * @param series marks refer to these
 * @param levels from coarse to fine; at least one. The last one is exact if all events fit
 * @param latency durations of transfers in nanoseconds, by series
 * @param sizes bytes delivered by transfers, by series
 * @param losses in the order of their times; the last one may be without length, where recording
 *     stopped
 * @param unrecorded how much is missing
 * @param notes sentences on what the picture does not show: binned, sampled, dropped, cut, filtered
 * @param unread what of the events file could not be read, in words; empty if all of it was
 */
public record RunPlot(
        String label,
        String source,
        EventHeader header,
        String programs,
        long beginNanos,
        long endNanos,
        long events,
        List<PlotFile> files,
        long fileCount,
        Map<Stage, Long> busyNanos,
        List<Series> series,
        List<Level> levels,
        Distribution latency,
        Distribution sizes,
        List<Loss> losses,
        Unrecorded unrecorded,
        List<String> notes,
        List<String> unread) {}
