package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkTableTest {
    private static MarkRow row(long process) {
        MarkRow row = new MarkRow();
        row.events = 1;
        row.process = process;
        return row;
    }

    @Test
    void shouldTellTheProcessUnlessThereAreSeveral() {
        MarkTable table = new MarkTable(10);
        table.add(row(7));
        table.add(row(7));
        table.add(row(0xffffffffL));
        table.join(0, row(7), Shape.BOX, 0, 0, 0, 0);
        table.join(1, row(8), Shape.BOX, 0, 0, 0, 0);
        assertThat(table.get(0).process()).isEqualTo(7);
        assertThat(table.get(1).process()).isEqualTo(-1);
        assertThat(table.get(2).process()).isEqualTo(0xffffffffL);

        // A mark of several processes stays one, also when marks are added anew.
        MarkRow several = new MarkRow();
        table.read(1, several);
        table.add(several);
        table.join(3, row(8), Shape.BOX, 0, 0, 0, 0);
        assertThat(table.get(3).process()).isEqualTo(-1);
    }
}
