package io.mio.cli.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Marks as they are. */
final class MarkList implements Marks {
    private final List<Mark> marks = new ArrayList<>();

    void add(Mark mark) {
        marks.add(mark);
    }

    void sort() {
        marks.sort(Comparator.comparingLong(Mark::startNanos));
    }

    @Override
    public int size() {
        return marks.size();
    }

    @Override
    public Mark get(int index) {
        return marks.get(index);
    }
}
