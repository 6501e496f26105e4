package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** The events of one run, and the marks that they become. */
final class MarkRun {
    final List<Mark> events = new ArrayList<>();
    final SeriesTable series = new SeriesTable(3);
    long nowNanos;

    void add(What what, long start, long end, long offset, long bytes) {
        add(series.index(0, Stage.PROGRAM, what), start, end, offset, bytes);
    }

    void add(int index, long start, long end, long offset, long bytes) {
        What what = series.all().get(index).what();
        events.add(
                new Mark(
                        index,
                        Shape.EVENT,
                        start,
                        end,
                        offset,
                        offset < 0 ? -1 : offset + bytes,
                        1,
                        bytes,
                        end - start,
                        end - start,
                        3 + index % 2,
                        1,
                        bytes,
                        what == What.FAILED ? 5 : 0,
                        events.size(),
                        99));
    }

    /** Adds a read after the one before, after a pause. */
    void read(long offset, long bytes, long nanos, long pauseNanos) {
        nowNanos += pauseNanos;
        add(What.READ, nowNanos, nowNanos + nanos, offset, bytes);
        nowNanos += nanos;
    }

    MarkStore store(int room) {
        long begin = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        long[] ends = new long[3];
        for (Mark event : events) {
            begin = Math.min(begin, event.startNanos());
            end = Math.max(end, event.endNanos());
            int file = series.file(event.series());
            ends[file] = Math.max(ends[file], event.offsetEnd());
        }
        MarkStore store = new MarkStore(room, new Scale(begin, end, ends), series);
        MarkTable all = new MarkTable(events.size());
        MarkRow row = new MarkRow();
        for (Mark event : events) {
            fill(row, event);
            all.add(row);
        }
        for (int i = 0; i < all.size(); i++) {
            all.read(i, row);
            store.add(row);
        }
        return store;
    }

    List<Mark> marks(int room) {
        return list(store(room).level());
    }

    private static void fill(MarkRow row, Mark mark) {
        row.series = mark.series();
        row.shape = mark.shape();
        row.startNanos = mark.startNanos();
        row.endNanos = mark.endNanos();
        row.offset = mark.offset();
        row.offsetEnd = mark.offsetEnd();
        row.events = mark.events();
        row.bytes = mark.bytes();
        row.busyNanos = mark.busyNanos();
        row.longestNanos = mark.longestNanos();
        row.thread = mark.thread();
        row.code = mark.code();
        row.requested = mark.requested();
        row.errno = mark.errno();
        row.number = mark.number();
        row.process = mark.process();
    }

    static List<Mark> list(Level level) {
        List<Mark> marks = new ArrayList<>();
        for (int i = 0; i < level.marks().size(); i++) {
            marks.add(level.marks().get(i));
        }
        return marks;
    }

    static List<Mark> lines(List<Mark> marks) {
        return marks.stream().filter(mark -> mark.shape() == Shape.LINE).toList();
    }

    void assertTotals(Level level, String about) {
        for (int index = 0; index < series.all().size(); index++) {
            int one = index;
            assertThat(totals(list(level).stream().filter(mark -> mark.series() == one).toList()))
                    .as(about)
                    .isEqualTo(
                            totals(events.stream().filter(mark -> mark.series() == one).toList()));
        }
        long before = Long.MIN_VALUE;
        for (Mark mark : list(level)) {
            assertThat(mark.startNanos()).as(about).isGreaterThanOrEqualTo(before);
            assertThat(mark.endNanos()).as(about).isGreaterThanOrEqualTo(mark.startNanos());
            assertThat(mark.shape() == Shape.EVENT).as(about).isEqualTo(mark.events() == 1);
            before = mark.startNanos();
        }
    }

    private static List<Long> totals(List<Mark> marks) {
        return List.of(
                marks.stream().mapToLong(Mark::events).sum(),
                marks.stream().mapToLong(Mark::bytes).sum(),
                marks.stream().mapToLong(Mark::busyNanos).sum(),
                marks.stream().mapToLong(Mark::longestNanos).max().orElse(0));
    }

    void assertExplained(Level level, String about) {
        List<Mark> marks = list(level);
        for (Mark event : events) {
            assertThat(marks.stream().anyMatch(mark -> isExplained(event, mark, level)))
                    .as("%s: %s", about, event)
                    .isTrue();
        }
    }

    private static boolean isExplained(Mark event, Mark mark, Level level) {
        if (mark.series() != event.series()) {
            return false;
        }
        return switch (mark.shape()) {
            case EVENT -> mark.equals(event);
            case LINE -> isNear(mark, event, level);
            case BOX ->
                    event.startNanos() >= mark.startNanos()
                            && event.endNanos() <= mark.endNanos()
                            && event.offset() >= mark.offset()
                            && event.offsetEnd() <= mark.offsetEnd()
                            && event.startNanos() - mark.startNanos() <= level.timeStepNanos()
                            && mark.endNanos() - event.endNanos() <= level.timeStepNanos()
                            && event.offset() - mark.offset() <= level.offsetStepBytes()
                            && mark.offsetEnd() - event.offsetEnd() <= level.offsetStepBytes();
        };
    }

    /** Whether both ends of a transfer are within the steps of the line. */
    private static boolean isNear(Mark line, Mark event, Level level) {
        boolean forward = line.offsetEnd() >= line.offset();
        long first = forward ? event.offset() : event.offsetEnd();
        long last = forward ? event.offsetEnd() : event.offset();
        return isNear(line, event.startNanos(), first, level)
                && isNear(line, event.endNanos(), last, level);
    }

    private static boolean isNear(Mark line, long time, long offset, Level level) {
        double from = Math.max(line.startNanos(), time - level.timeStepNanos());
        double to = Math.min(line.endNanos(), time + level.timeStepNanos());
        if (from > to) {
            return false;
        }
        double one = offsetAt(line, from);
        double other = offsetAt(line, to);
        // A double has 53 bits; offsets here need fewer.
        double near = level.offsetStepBytes() + 1e-3;
        return offset >= Math.min(one, other) - near && offset <= Math.max(one, other) + near;
    }

    private static double offsetAt(Mark line, double time) {
        double length = line.endNanos() - line.startNanos();
        double share = length == 0 ? 1 : (time - line.startNanos()) / length;
        return line.offset() + share * (line.offsetEnd() - line.offset());
    }
}
