package io.mio.cli.plot.term;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CellsTest {
    private static final Terminal ASCII = new Terminal(true, true, 80, false, false);
    private static final int COLUMNS = 61;
    private static final int ROWS = 13;

    private static List<String> rows(Cells cells) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            rows.add(cells.row(row));
        }
        return rows;
    }

    private static List<int[]> marked(Cells cells) {
        List<int[]> marked = new ArrayList<>();
        List<String> rows = rows(cells);
        for (int column = 0; column < COLUMNS; column++) {
            for (int row = 0; row < ROWS; row++) {
                String text = rows.get(row);
                if (column < text.length() && text.charAt(column) != ' ') {
                    marked.add(new int[] {column, row});
                }
            }
        }
        return marked;
    }

    @Test
    void shouldCloseALineBetweenTwoPlaces() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            double x0 = random.nextDouble();
            double y0 = random.nextDouble();
            // Some ends lie on borders of cells.
            double x1 = random.nextBoolean() ? random.nextInt(COLUMNS) / (double) COLUMNS : x0;
            double y1 = random.nextBoolean() ? random.nextInt(ROWS) / (double) ROWS : y0;
            Cells cells = new Cells(ASCII, COLUMNS, ROWS);

            cells.line(x0, y0, x1, y1, Cells.Kind.READ);

            List<int[]> marked = marked(cells);
            int across = Math.abs((int) (x0 * COLUMNS) - (int) (x1 * COLUMNS));
            assertThat(marked.size())
                    .as("seed %d, line %d: %s", seed, i, rows(cells))
                    .isGreaterThanOrEqualTo(Math.max(1, across));
            assertThat(reached(marked))
                    .as("seed %d, line %d: %s", seed, i, rows(cells))
                    .isEqualTo(marked.size());
        }
    }

    /** The number of cells that can be reached from the first one by steps to neighbours. */
    private static int reached(List<int[]> marked) {
        List<int[]> left = new ArrayList<>(marked);
        List<int[]> reached = new ArrayList<>(List.of(left.remove(0)));
        for (int i = 0; i < reached.size(); i++) {
            int[] one = reached.get(i);
            List<int[]> near =
                    left.stream()
                            .filter(other -> Math.abs(other[0] - one[0]) <= 1)
                            .filter(other -> Math.abs(other[1] - one[1]) <= 1)
                            .toList();
            reached.addAll(near);
            left.removeAll(near);
        }
        return reached.size();
    }

    @Test
    void shouldFillARectangle() {
        Cells cells = new Cells(ASCII, COLUMNS, ROWS);

        cells.area(10.0 / COLUMNS, 0, 20.0 / COLUMNS, 1, Cells.Kind.WRITE);

        assertThat(rows(cells)).containsOnly(" ".repeat(10) + "w".repeat(11));
    }

    @Test
    void shouldLeaveOutWhatLiesOutside() {
        Cells cells = new Cells(ASCII, COLUMNS, ROWS);

        cells.area(0, 1.5, 1, 2, Cells.Kind.READ);
        cells.line(-1, 2, 2, 3, Cells.Kind.READ);
        assertThat(rows(cells)).containsOnly("");

        cells.line(-1e12, 0.5, 1e12, 0.5, Cells.Kind.READ);
        assertThat(rows(cells).get(ROWS / 2)).isEqualTo("r".repeat(COLUMNS));
    }
}
