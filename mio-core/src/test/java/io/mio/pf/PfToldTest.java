package io.mio.pf;

import static io.mio.pf.PfFixture.filled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is told of a page that could not be written: opens without a cache, like all others. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfToldTest {
    private static final int PAGE = 4096;
    private static final String OPTIONS = "cache=64k/page=4k/private/pref=2";
    private static final String THROUGH = "cache=64k/page=4k/private/through";

    private final FileKey key = PfFixture.newKey();
    private final MemoryFile below = new MemoryFile(Runnable::run).holding(filled(64 * PAGE, 'o'));
    private CachedFile file;
    private AttachedLayer plain;

    @BeforeEach
    void attach() {
        file = CachedFiles.enter(key);
        plain = new AttachedLayer(file, below);
    }

    @AfterEach
    void leave() {
        CachedFiles.leave(file);
        assertThat(CachedFiles.find(key)).isNull();
    }

    private PfLayer open(String options) throws IOException {
        return PfFixture.open(options, below, key, OpenFlags.RDWR);
    }

    private void writesFail(boolean fail) {
        below.fault((write, offset, length) -> write && fail ? new IOException("full") : null);
    }

    /** Writes a full page; the write behind the program's back fails. */
    private void failsBehind(PfLayer writer) throws IOException {
        writesFail(true);
        writer.write(ByteBuffer.wrap(filled(PAGE, 'n')), 0);
        writesFail(false);
    }

    private static void submit(Layer layer) throws IOException {
        IoRequest request = IoRequest.write(ByteBuffer.allocate(10), 20 * PAGE, done -> {});
        layer.submit(request);
        request.awaitThroughInterrupts();
        if (request.error() instanceof IOException failure) {
            throw failure;
        }
    }

    private static void call(String what, Layer layer) throws IOException {
        ByteBuffer ten = ByteBuffer.allocate(10);
        switch (what) {
            case "write" -> layer.write(ten, 20 * PAGE);
            case "vector" ->
                    layer.write(new ByteBuffer[] {ten, ByteBuffer.allocate(10)}, 0, 2, 20 * PAGE);
            case "submit" -> submit(layer);
            case "flush" -> layer.flush(false);
            case "truncate" -> layer.truncate(50 * PAGE);
            default -> layer.close();
        }
    }

    private static void fails(String what, Layer layer) {
        assertThatThrownBy(() -> call(what, layer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("full")
                .hasRootCauseMessage("full");
    }

    private void failsToClose(PfLayer writer) {
        assertThatThrownBy(() -> PfFixture.close(writer, key)).hasMessageContaining("full");
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "vector", "submit", "flush", "truncate", "close"})
    void shouldTellAnOpenWithoutACacheOnceOfAWriteThatFailedBehindItsBack(String next)
            throws IOException {
        PfLayer writer = open(OPTIONS);
        failsBehind(writer);

        fails(next, plain);
        call(next, plain);
        plain.close();
        failsToClose(writer);

        assertThat(Arrays.copyOf(below.content(), PAGE)).isEqualTo(filled(PAGE, 'n'));
    }

    @Test
    void shouldNotTellTwiceWhatItsOwnCallHasFailedWith() throws IOException {
        PfLayer writer = open(OPTIONS);
        writer.write(ByteBuffer.wrap(filled(100, 'n')), 0);
        writesFail(true);
        fails("flush", plain);
        // The page itself is left alone: these calls fail on their own.
        assertThatThrownBy(() -> call("write", plain)).hasMessage("full");
        assertThatThrownBy(() -> call("vector", plain)).hasMessage("full");
        writesFail(false);

        assertThatCode(() -> call("write", plain)).doesNotThrowAnyException();
        plain.close();
        failsToClose(writer);
    }

    @Test
    void shouldNotTellTwiceWhatACutHasFailedWith() throws IOException {
        PfLayer writer = open(OPTIONS);
        writesFail(true);
        writer.write(ByteBuffer.wrap(filled(100, 'n')), 90 * PAGE);
        // Between the end below and the one in pages: all is written before.
        assertThatThrownBy(() -> plain.truncate(80 * PAGE)).hasMessage("full");
        writesFail(false);

        assertThatCode(() -> call("write", plain)).doesNotThrowAnyException();
        plain.close();
        failsToClose(writer);
    }

    @Test
    void shouldTellNothingOfWhatFailedBeforeItWasOpened() throws IOException {
        PfLayer writer = open(OPTIONS);
        failsBehind(writer);
        AttachedLayer later = new AttachedLayer(file, below);

        assertThatCode(() -> call("write", later)).doesNotThrowAnyException();
        later.close();
        failsToClose(writer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "submit", "flush"})
    void shouldStillTellWhenTheFileHasNoPagesAnyMore(String next) throws IOException {
        PfLayer writer = open(OPTIONS);
        writesFail(true);
        writer.write(ByteBuffer.wrap(filled(PAGE, 'n')), 0);
        failsToClose(writer);
        writesFail(false);

        fails(next, plain);
        call(next, plain);
    }

    @Test
    void shouldStillTellWhenTheFileHasGotItsPagesAnew() throws IOException {
        PfLayer writer = open(OPTIONS);
        writesFail(true);
        writer.write(ByteBuffer.wrap(filled(PAGE, 'n')), 0);
        failsToClose(writer);
        writesFail(false);
        PfLayer next = open(OPTIONS);

        fails("write", plain);
        call("write", plain);
        PfFixture.close(next, key);
    }

    /** {@code pf/auto} takes pages on the way: one open, which later goes on without them. */
    @Test
    void shouldTellAnOpenWithPagesOnTheWayAsOne() throws IOException {
        PfLayer writer = open(OPTIONS);
        PfLayer pages = open(THROUGH);
        pages.tellFor(plain);
        writesFail(true);
        writer.write(ByteBuffer.wrap(filled(PAGE, 'n')), 0);
        fails("flush", pages);
        // The page fails again; the open is not told of this while it has pages.
        fails("flush", writer);
        writesFail(false);
        PfFixture.close(pages, key);

        fails("write", plain);
        call("write", plain);
        plain.close();
        PfFixture.close(writer, key);
    }

    @Test
    void shouldNotTellAgainWhatWasToldWhileThereWerePages() throws IOException {
        PfLayer writer = open(OPTIONS);
        PfLayer pages = open(THROUGH);
        pages.tellFor(plain);
        failsBehind(writer);
        fails("write", pages);
        PfFixture.close(pages, key);

        assertThatCode(() -> call("flush", plain)).doesNotThrowAnyException();
        plain.close();
        failsToClose(writer);
    }

    /** An append must follow bytes that only pages hold, and fails as they do: once is enough. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellOnceOfPagesThatAnAppendCouldNotBeBehind(boolean vector) throws IOException {
        PfLayer cached = open(OPTIONS);
        cached.write(ByteBuffer.wrap(filled(100, 'n')), 64 * PAGE);
        ByteBuffer[] srcs = {ByteBuffer.wrap(filled(10, 'a'))};
        Layer.IoCall<Long> append =
                () ->
                        vector
                                ? plain.write(srcs, 0, 1, Layer.APPEND)
                                : plain.write(srcs[0], Layer.APPEND);
        writesFail(true);
        assertThatThrownBy(append::call).isInstanceOf(IOException.class);
        writesFail(false);

        assertThat(append.call()).isEqualTo(10);
        assertThatThrownBy(() -> cached.flush(false)).hasMessageContaining("full");
        PfFixture.close(cached, key);
        assertThat(Arrays.copyOfRange(below.content(), 64 * PAGE + 100, 64 * PAGE + 110))
                .isEqualTo(filled(10, 'a'));
    }
}
