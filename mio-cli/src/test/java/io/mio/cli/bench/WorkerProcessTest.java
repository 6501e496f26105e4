package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fake workers: shells that print and do what real ones do when they fail. */
class WorkerProcessTest {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LATE = TimeUnit.MINUTES.toNanos(5);

    private WorkerProcess worker;

    private WorkerProcess start(String script) throws IOException {
        worker = new WorkerProcess("pf, worker 1", new ProcessBuilder("sh", "-c", script));
        return worker;
    }

    @AfterEach
    void stop() {
        if (worker != null) {
            worker.stop();
        }
    }

    @Test
    void shouldWaitForNobodyWithoutALimit() throws IOException {
        start("echo 'out of ideas' >&2; exec sleep 1000");
        while (worker.lastWords().isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThatThrownBy(() -> worker.next(() -> {}, SOON))
                .isInstanceOf(IOException.class)
                .hasMessageMatching(
                        "pf, worker 1: process [0-9]+ said nothing for 2.*; its last words: out of"
                                + " ideas");
    }

    @Test
    void shouldNotGuessWhoKilledAWorker() throws IOException {
        start("kill -9 $$");
        assertThatThrownBy(() -> worker.next(() -> {}, LATE))
                .hasMessage(
                        "pf, worker 1: the worker was killed by SIGKILL; by the kernel, if memory"
                                + " ran out: see --memory, -r and -t");
    }

    @Test
    void shouldNotWaitForAWorkerThatDoesNotEnd() throws IOException {
        start("exec sleep 1000");
        assertThatThrownBy(() -> worker.finish(SOON))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pf, worker 1: process ")
                .hasMessageContaining("did not end within");
    }

    @Test
    void shouldTellWhatItSaidLast() throws IOException {
        start("for i in 1 2 3 4; do echo line $i >&2; done; exit 7");
        assertThatThrownBy(() -> worker.next(() -> {}, LATE))
                .hasMessage(
                        "pf, worker 1: the worker ended with status 7; its last words: line 2 /"
                                + " line 3 / line 4");
    }

    @Test
    void shouldSeeAFailureOfAnotherWorkerWhileItWaits() throws Exception {
        WorkerProcess failing =
                new WorkerProcess(
                        "pf, worker 2", new ProcessBuilder("sh", "-c", "echo failed a disk; cat"));
        try {
            start("exec sleep 1000");
            assertThatThrownBy(() -> worker.next(failing::checkRunning, LATE))
                    .hasMessage("pf, worker 2: a disk");
        } finally {
            failing.stop();
        }
    }

    @Test
    void shouldAllowForSlowStorage() {
        // A disk does not reach a limit of one second for each call.
        WorkerJob job = Workers.job(BenchTest.RANDOM_READ, 4096, 1000);
        assertThat(Session.limitNanos(job, 1)).isBetween(600_000_000_000L, 800_000_000_000L);
        assertThat(Session.limitNanos(Workers.job(BenchTest.READ, 1 << 30, 1L << 32), 1))
                .isEqualTo(Long.MAX_VALUE);
    }
}
