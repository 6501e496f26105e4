package io.mio.recov;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.stats.StatsHeader;
import io.mio.stats.StatsOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is tried again, what is not, and what the program gets; the file fails by a plan. */
class RecovLayerTest {
    private static final String FULL = "No space left on device";
    private static final String BROKEN = "Input/output error";

    @TempDir private Path directory;

    private FailingFile file;

    private StatsOutput output(String name) {
        return new StatsOutput(
                FileSystems.getDefault(),
                directory.resolve(name).toString(),
                false,
                () -> StatsHeader.now("sync", "", "", "", "", List.of()));
    }

    private RecovOptions options(boolean fullWrite, String command, int retry) {
        return new RecovOptions("recov", fullWrite, command, "exit 1", retry, StatsOutput.MIOOUT);
    }

    private Layer layer(boolean fullWrite, String command, int retry, String... plan)
            throws IOException {
        file = new FailingFile(data(), false, plan);
        return new RecovLayer(
                file, options(fullWrite, command, retry), "a file", output("stats"), true);
    }

    private Path data() {
        return directory.resolve("data");
    }

    private String log(String text) {
        return "echo \"" + text + "\" >> " + directory.resolve("log");
    }

    private List<String> messages() throws IOException {
        Path stats = directory.resolve("stats");
        return Files.exists(stats)
                ? Files.readAllLines(stats).stream().filter(l -> l.startsWith("recov")).toList()
                : List.of();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    void shouldGoOnWhereAWriteStoppedAfterTheCommandHasRun() throws IOException {
        String command =
                log("$MIO_MODULE $MIO_CALL $MIO_FILE $MIO_ERROR $MIO_ERRNO $MIO_TRY/$MIO_RETRY");
        try (var closing = closing(layer(true, command, 3, "", "3", FULL, FULL))) {
            assertThat(closing.layer.write(bytes("AB"), 0)).isEqualTo(2);
            ByteBuffer ten = bytes("0123456789");
            assertThat(closing.layer.write(ten, 2)).isEqualTo(10);
            assertThat(ten.hasRemaining()).isFalse();
        }

        assertThat(data()).hasContent("AB0123456789");
        assertThat(file.calls)
                .containsExactly(
                        "write 2 at 0",
                        "write 10 at 2",
                        "write 7 at 5",
                        "write 7 at 5",
                        "write 7 at 5");
        assertThat(directory.resolve("log"))
                .hasContent("recov write a file ENOSPC 28 1/3\nrecov write a file ENOSPC 28 2/3\n");
        assertThat(messages())
                .containsExactly(
                        "recov : command=" + command + " file=a file errno=28 try=1",
                        "recov : command=" + command + " file=a file errno=28 try=2");
    }

    @Test
    void shouldGiveTheProgramTheErrorWhenNothingHelps() throws IOException {
        try (var closing = closing(layer(true, log("x"), 2, FULL, FULL, FULL))) {
            ByteBuffer ten = bytes("0123456789");
            assertThatThrownBy(() -> closing.layer.write(ten, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessage(FULL);
            assertThat(ten.position()).isZero();
        }

        assertThat(file.calls).hasSize(3);
        assertThat(directory.resolve("log")).hasContent("x\nx\n");
        assertThat(messages()).hasSize(3).last().isEqualTo("recov : failure : new_ret=-1");
    }

    @Test
    void shouldGiveTheProgramThePartThatWasWritten() throws IOException {
        try (var closing = closing(layer(true, "true", 1, "4", FULL, FULL))) {
            ByteBuffer ten = bytes("0123456789");
            assertThat(closing.layer.write(ten, 0)).isEqualTo(4);
            assertThat(ten.position()).isEqualTo(4);
        }

        assertThat(data()).hasContent("0123");
        assertThat(messages()).hasSize(2).last().isEqualTo("recov : failure : new_ret=4");
    }

    @Test
    void shouldTakeAPartWhereAPartIsEnough() throws IOException {
        try (var closing = closing(layer(false, log("x"), 5, "4", FULL))) {
            ByteBuffer ten = bytes("0123456789");
            assertThat(closing.layer.write(ten, 0)).isEqualTo(4);
            assertThatThrownBy(() -> closing.layer.write(ten, 4)).hasMessage(FULL);
        }

        assertThat(file.calls).containsExactly("write 10 at 0", "write 6 at 4");
        assertThat(directory.resolve("log")).doesNotExist();
        assertThat(messages()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"File too large", "Read-only file system", "Invalid argument", "closed"})
    void shouldNotTryAgainWhatCannotSucceed(String words) throws IOException {
        try (var closing = closing(layer(true, log("x"), 5, words))) {
            assertThatThrownBy(() -> closing.layer.write(bytes("x"), 0)).hasMessage(words);
        }

        assertThat(file.calls).hasSize(1);
        assertThat(directory.resolve("log")).doesNotExist();
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldSayThatAnAttemptMetWhatNothingHelps() throws IOException {
        try (var closing = closing(layer(true, "true", 5, FULL, "File too large"))) {
            assertThatThrownBy(() -> closing.layer.write(bytes("x"), 0))
                    .hasMessage("File too large");
        }

        assertThat(file.calls).hasSize(2);
        assertThat(messages()).hasSize(2).last().isEqualTo("recov : failure : new_ret=-1");
    }

    @Test
    void shouldNotTryAgainInAThreadThatIsInterrupted() throws IOException {
        try (var closing = closing(layer(true, "", 5, BROKEN))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> closing.layer.read(ByteBuffer.allocate(1), 0))
                    .hasMessage(BROKEN);
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(file.calls).hasSize(1);
    }

    @Test
    void shouldRepeatAReadThatFailedInTheDeviceWithoutACommand() throws IOException {
        Files.writeString(data(), "0123456789");
        ByteBuffer one = ByteBuffer.allocate(4);
        ByteBuffer[] several = {ByteBuffer.allocate(2), ByteBuffer.allocate(3)};
        String[] plan = {BROKEN, "", BROKEN, BROKEN, "", BROKEN, BROKEN, BROKEN};
        try (var closing = closing(layer(true, log("x"), 2, plan))) {
            assertThat(closing.layer.read(one, 5)).isEqualTo(4);
            assertThat(closing.layer.read(several, 0, 2, 1)).isEqualTo(5);
            assertThatThrownBy(() -> closing.layer.read(one.clear(), 0)).hasMessage(BROKEN);
        }

        assertThat(new String(several[1].array(), UTF_8)).isEqualTo("345");
        assertThat(directory.resolve("log")).doesNotExist();
        assertThat(messages())
                .hasSize(6)
                .startsWith("recov : command= file=a file errno=5 try=1")
                .endsWith("recov : failure : new_ret=-1");
    }

    @Test
    void shouldRepeatAWriteThatFailedInTheDeviceAfterTheCommandHasRunAndNoOtherCall()
            throws IOException {
        String[] plan = {BROKEN, "", BROKEN};
        try (var closing = closing(layer(true, log("$MIO_CALL $MIO_ERROR"), 1, plan))) {
            assertThat(closing.layer.write(bytes("x"), 0)).isEqualTo(1);
            assertThatThrownBy(() -> closing.layer.reserve(0, 4096)).hasMessage(BROKEN);
        }

        assertThat(file.calls).containsExactly("write 1 at 0", "write 1 at 0", "reserve 4096 at 0");
        assertThat(directory.resolve("log")).hasContent("write EIO\n");
    }

    @Test
    void shouldNameNoCommandThatMayNotRun() throws IOException {
        file = new FailingFile(data(), false, FULL);
        RecovOptions options = options(true, log("x"), 1);
        RecovCommand forbidden = new RecovCommand(false);
        RecovFile asked = new RecovFile(options, "a file", output("stats"), forbidden);
        try (var closing = closing(new RecovLayer(file, asked, true))) {
            assertThat(closing.layer.write(bytes("x"), 0)).isEqualTo(1);
        }

        assertThat(directory.resolve("log")).doesNotExist();
        assertThat(messages()).containsExactly("recov : command= file=a file errno=28 try=1");
    }

    @Test
    void shouldGoOnInsideSeveralBuffers() throws IOException {
        String[] plan = {"", "1", FULL, "", FULL};
        ByteBuffer[] buffers = {bytes("__"), bytes("012"), bytes("345"), bytes("6789")};
        try (var closing = closing(layer(true, "true", 2, plan))) {
            assertThat(closing.layer.write(buffers, 1, 3, 0)).isEqualTo(10);
        }

        assertThat(data()).hasContent("0123456789");
        assertThat(buffers[0].position()).isZero();
        assertThat(buffers[3].hasRemaining()).isFalse();
        assertThat(messages())
                .containsExactly(
                        "recov : command=true file=a file errno=28 try=1",
                        "recov : command=true file=a file errno=28 try=2");
    }

    @Test
    void shouldGiveTheProgramThePartOfSeveralBuffersThatWasWrittenAndThenTheError()
            throws IOException {
        ByteBuffer[] buffers = {bytes("012"), bytes("345")};
        try (var closing = closing(layer(true, "true", 1, "2", FULL, FULL, FULL, FULL))) {
            assertThat(closing.layer.write(buffers, 0, 2, 0)).isEqualTo(2);
            assertThatThrownBy(() -> closing.layer.write(buffers, 0, 2, 2)).hasMessage(FULL);
        }

        assertThat(buffers[0].position()).isEqualTo(2);
        assertThat(buffers[1].position()).isZero();
        assertThat(data()).hasContent("01");
        assertThat(messages())
                .hasSize(4)
                .contains("recov : failure : new_ret=2")
                .last()
                .isEqualTo("recov : failure : new_ret=-1");
    }

    @Test
    void shouldNotAppendTwiceWhatWasAppended() throws IOException {
        file = new FailingFile(data(), true, "", "1", FULL, "", FULL, FULL);
        RecovOptions options = options(true, "true", 3);
        ByteBuffer[] buffers = {bytes("012"), bytes("345"), bytes("6789")};
        try (var closing =
                closing(new RecovLayer(file, options, "a file", output("stats"), true))) {
            assertThat(closing.layer.write(buffers, 0, 3, Layer.APPEND)).isEqualTo(10);
            assertThat(closing.layer.write(bytes("x"), Layer.APPEND)).isEqualTo(1);
        }

        assertThat(data()).hasContent("0123456789x");
    }

    @Test
    void shouldLeaveAWriteAloneWhoseFailureDoesNotTellItsPart() throws Exception {
        file = new FailingFile(data(), false, FULL, FULL, FULL);
        RecovOptions options = options(true, log("x"), 3);
        try (var closing =
                closing(new RecovLayer(file, options, "a file", output("stats"), false))) {
            assertThatThrownBy(() -> closing.layer.write(bytes("x"), 0)).hasMessage(FULL);
            IoRequest write = IoRequest.write(bytes("x"), 0, done -> {});
            closing.layer.submit(write);
            write.await();
            assertThat(write.error()).hasMessage(FULL);
            ByteBuffer[] several = {bytes("x"), bytes("y")};
            assertThatThrownBy(() -> closing.layer.write(several, 0, 2, 0)).hasMessage(FULL);
        }

        assertThat(file.calls).hasSize(3);
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldNeverRepeatAFlush() throws IOException {
        try (var closing = closing(layer(true, log("x"), 5, BROKEN))) {
            assertThatThrownBy(() -> closing.layer.flush(true)).hasMessage(BROKEN);
        }

        assertThat(file.calls).containsExactly("flush");
        assertThat(messages()).isEmpty();
    }

    @Test
    void shouldTryAgainToSetSpaceAside() throws IOException {
        try (var closing = closing(layer(true, log("$MIO_CALL"), 1, FULL))) {
            assertThat(closing.layer.reserve(0, 4096)).isTrue();
        }

        assertThat(file.calls).containsExactly("reserve 4096 at 0", "reserve 4096 at 0");
        assertThat(directory.resolve("log")).hasContent("allocate\n");
        assertThat(messages()).hasSize(1).last().asString().endsWith("errno=28 try=1");
    }

    @Test
    void shouldCompleteAsynchronousRequestsOnceTheyAreDone() throws Exception {
        Files.writeString(data(), "0123456789");
        String[] plan = {BROKEN, "", "4", FULL, FULL};
        try (var closing = closing(layer(true, "true", 2, plan))) {
            IoRequest write = IoRequest.write(bytes("abcdefgh"), 0, done -> {});
            ByteBuffer back = ByteBuffer.allocate(3);
            IoRequest read = IoRequest.read(back, 8, done -> {});
            closing.layer.submitAll(List.of(read));
            closing.layer.await(read, read::await);
            closing.layer.submitAll(List.of(write));
            closing.layer.await(write, write::await);
            IoRequest atOnce = IoRequest.write(bytes("ij"), 0, done -> {});
            closing.layer.submit(atOnce);
            atOnce.await();
            assertThat(write.error()).isNull();
            assertThat(write.delivered()).isEqualTo(8);
            assertThat(read.error()).isNull();
            assertThat(read.delivered()).isEqualTo(2);
            assertThat(new String(back.array(), UTF_8)).isEqualTo("89\0");
        }

        assertThat(file.calls)
                .containsExactly(
                        "read 3 at 8",
                        "read 3 at 8",
                        "write 8 at 0",
                        "write 4 at 4",
                        "write 4 at 4",
                        "write 4 at 4",
                        "write 2 at 0");
        assertThat(data()).hasContent("ijcdefgh89");
    }

    @Test
    void shouldCompleteAsynchronousRequestsWithTheirErrorWhenNothingHelps() throws Exception {
        try (var closing = closing(layer(true, "true", 1, FULL, FULL))) {
            ByteBuffer ten = bytes("0123456789");
            IoRequest write = IoRequest.write(ten, 0, done -> {});
            closing.layer.submit(write);
            write.await();
            assertThat(write.error()).hasMessage(FULL);
            assertThat(ten.position()).isZero();
        }

        assertThat(messages()).hasSize(2).last().isEqualTo("recov : failure : new_ret=-1");
    }

    @Test
    void shouldWriteTheMessagesAsJsonWhereTheFileIsOne() throws IOException {
        file = new FailingFile(data(), false, FULL, FULL);
        RecovOptions options = options(true, "true", 1);
        try (var closing =
                closing(new RecovLayer(file, options, "a file", output("m.jsonl"), true))) {
            assertThatThrownBy(() -> closing.layer.write(bytes("x"), 0)).hasMessage(FULL);
        }

        assertThat(Files.readAllLines(directory.resolve("m.jsonl")))
                .filteredOn(line -> line.contains("\"type\":\"recov\""))
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .endsWith(
                                                "\"event\":\"attempt\",\"file\":\"a file\","
                                                        + "\"call\":\"write\",\"error\":\"ENOSPC\","
                                                        + "\"errno\":28,\"try\":1,\"retry\":1,"
                                                        + "\"command\":\"true\"}"),
                        line ->
                                assertThat(line)
                                        .contains("\"event\":\"failure\"")
                                        .endsWith("\"try\":1,\"retry\":1,\"result\":-1}"));
    }

    private Closing closing(Layer layer) {
        return new Closing(layer);
    }

    private record Closing(Layer layer) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            layer.close();
        }
    }
}
