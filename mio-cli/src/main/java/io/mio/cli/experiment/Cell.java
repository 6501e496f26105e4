package io.mio.cli.experiment;

import io.mio.cli.bench.Spread;
import io.mio.cli.term.Amounts;

/** One cell of a table. */
public sealed interface Cell {
    /** Returns the cell as people read it. */
    String shown();

    /** A cell of words. */
    record Text(String shown) implements Cell {}

    /**
     * A figure that was measured here.
     *
     * @param runs number of runs that the spread is of; with one run there is no spread
     */
    record Figure(Spread spread, Unit unit, int runs) implements Cell {
        @Override
        public String shown() {
            String median = unit.text(spread.median());
            String least = unit.text(spread.least());
            String most = unit.text(spread.most());
            return runs < 2 || least.equals(most)
                    ? median
                    : median + " (" + least + ".." + most + ")";
        }
    }

    /**
     * A comparison of two figures that were measured here; marked with {@code ~} if it may be
     * chance.
     */
    record Ratio(Gain gain) implements Cell {
        @Override
        public String shown() {
            boolean marked = gain.mayBeChance() && Double.isFinite(gain.times());
            return (marked ? "~" : "") + Amounts.ratio(gain.times());
        }
    }

    /** A figure of the document. */
    record Given(double figure, Unit unit) implements Cell {
        @Override
        public String shown() {
            return unit.text(figure);
        }
    }

    /** A ratio of figures of the document. */
    record GivenRatio(double times) implements Cell {
        @Override
        public String shown() {
            return Amounts.ratio(times);
        }
    }

    /** An empty cell. */
    record None() implements Cell {
        @Override
        public String shown() {
            return Amounts.NONE;
        }
    }

    static Cell text(String text) {
        return new Text(text);
    }

    static Cell figure(Spread spread, Unit unit, int runs) {
        return new Figure(spread, unit, runs);
    }

    /** Returns a cell with one figure of one run. */
    static Cell figure(double figure, Unit unit) {
        return new Figure(Spread.of(figure), unit, 1);
    }

    static Cell gain(Spread own, Spread base, Better better, int runs) {
        return new Ratio(Gain.of(own, base, better, runs));
    }

    static Cell given(double figure, Unit unit) {
        return new Given(figure, unit);
    }

    /** Returns a cell that says how many times better one figure of a document is than another. */
    static Cell givenGain(double own, double base, Better better) {
        return new GivenRatio(Gain.times(own, base, better));
    }

    static Cell none() {
        return new None();
    }
}
