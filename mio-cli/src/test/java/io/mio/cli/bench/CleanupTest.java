package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupTest {
    private final Cleanup cleanup = new Cleanup();
    private final List<String> undone = new ArrayList<>();

    @Test
    void shouldUndoTheLastThingFirst() throws Exception {
        cleanup.begin(() -> null, () -> undone.add("first"));
        cleanup.begin(() -> null, () -> undone.add("second"));

        assertThat(cleanup.all()).isEmpty();
        assertThat(undone).containsExactly("second", "first");
        assertThat(cleanup.isDone()).isTrue();
        assertThat(cleanup.all()).isEmpty();
        assertThat(undone).hasSize(2);
    }

    @Test
    void shouldUndoTheOthersWhateverGoesWrong() throws Exception {
        cleanup.begin(() -> null, () -> undone.add("first"));
        cleanup.begin(
                () -> null,
                () -> {
                    throw new IOException("no unmount");
                });
        cleanup.begin(
                () -> null,
                () -> {
                    throw new IllegalStateException("mistake");
                });

        assertThat(cleanup.all())
                .containsExactly("java.lang.IllegalStateException: mistake", "no unmount");
        assertThat(undone).containsExactly("first");
    }

    @Test
    void shouldUndoAStepThatFailedAndBeginNothingOnceItIsOver() {
        assertThatThrownBy(
                        () ->
                                cleanup.begin(
                                        () -> {
                                            throw new IOException("no room");
                                        },
                                        () -> undone.add("half")))
                .hasMessage("no room");
        assertThat(undone).containsExactly("half");

        assertThat(cleanup.all()).isEmpty();
        assertThat(undone).hasSize(1);
        assertThatThrownBy(() -> cleanup.begin(() -> undone.add("late"), () -> undone.add("x")))
                .hasMessage("stopped");
        assertThat(undone).hasSize(1);
    }
}
