package io.mio.cli.plot;

import io.mio.events.EventHeader;
import java.util.List;

/**
 * One run: what an events file tells, reduced to what can be drawn.
 *
 * @param label what it is called in pictures, unchecked text
 * @param source name of the events file
 * @param header of the events file
 * @param beginNanos first moment that is drawn, since time zero
 * @param endNanos last moment
 * @param events that are drawn, {@link Mark#events} of all marks of a level added up
 * @param files by bytes moved, most first; the others at the end
 * @param series marks refer to these
 * @param levels from coarse to fine; at least one. The last one is exact if all events fit
 * @param latency durations of transfers in nanoseconds, by series
 * @param sizes bytes delivered by transfers, by series
 * @param losses in the order of their times
 * @param notes sentences on what the picture does not show: binned, sampled, dropped, cut, filtered
 */
public record RunPlot(
        String label,
        String source,
        EventHeader header,
        long beginNanos,
        long endNanos,
        long events,
        List<PlotFile> files,
        List<Series> series,
        List<Level> levels,
        Distribution latency,
        Distribution sizes,
        List<Loss> losses,
        List<String> notes) {}
