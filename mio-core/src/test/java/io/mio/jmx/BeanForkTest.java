package io.mio.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.jfr.ForkedJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The management bean of a whole program: what it shows, and when it exists. */
class BeanForkTest {
    private static final String FILES =
            "-Dmio.files=*.dat [ trace/stats | pf/cache=4m/page=64k/pref=2/stats ]";
    private static final int PAGES = BeanProgram.PAGES;
    private static final long FILE_BYTES = (long) PAGES * BeanProgram.PAGE_BYTES;

    @TempDir private Path directory;

    private ForkedJvm start(String how, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of(more));
        options.add(FILES);
        options.add("-Dmio.stats=" + directory.resolve("stats"));
        return new ForkedJvm(directory, options, BeanProgram.class, how);
    }

    private static List<String> lines(ForkedJvm program) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = program.line(); line != null; line = program.line()) {
            lines.add(line);
        }
        return lines;
    }

    @Test
    void shouldSumUpOpenAndClosedFilesAndResetAndDump() throws Exception {
        ForkedJvm program = start("values");
        List<String> lines = lines(program);
        assertThat(program.end()).isZero();

        List<String> opened =
                List.of(
                        "open FilesOpen 1",
                        "open FilesOpened 1",
                        "open Reads 0",
                        "open BytesRead 0",
                        "open Writes " + PAGES,
                        "open BytesWritten " + FILE_BYTES,
                        "open PageWrites " + PAGES,
                        "open PageBytesWritten " + FILE_BYTES,
                        "open PageReads 0",
                        "open DirtyBytes 0",
                        "open timed true");
        assertThat(lines).containsSubsequence(opened);
        assertThat(lines)
                .contains("read Reads 3", "read BytesRead 12288", "read Writes " + PAGES)
                .contains(
                        "file bean.dat", "file layers trace|pf|os", "file reads 3", "file proxy 3")
                .contains("file bytesRead 12288", "file writes " + PAGES)
                .contains("file bytesWritten " + FILE_BYTES, "file misses 0");
        assertThat(lines)
                .contains("reset FilesOpen 1", "reset FilesOpened 0", "reset Reads 0")
                .contains("reset Writes 0", "reset PageWrites 0", "reset timed false");
        assertThat(lines).contains("dirty DirtyBytes " + BeanProgram.PAGE_BYTES);
        assertThat(lines).containsSubsequence("dump 1", "dump 1");
        assertThat(lines)
                .contains("closed FilesOpen 0", "closed FilesOpened 0", "closed Reads 1")
                .contains("closed BytesRead 4096", "closed Writes 1", "closed BytesWritten 4096")
                .contains("closed PageWrites 1", "closed DirtyBytes 0");

        // The reset does not change the reports.
        String stats = Files.readString(directory.resolve("stats"));
        assertThat(stats).containsOnlyOnce("Trace inter").containsOnlyOnce("Trace close");
        assertThat(stats.substring(stats.indexOf("Trace close")))
                .containsPattern("\n  write +" + (PAGES + 1) + " ")
                .containsPattern("\n  read +4 ");
    }

    @Test
    void shouldBeThereOnceTheProgramHasThePlatformServer() throws Exception {
        ForkedJvm program = start("own");
        assertThat(lines(program)).containsExactly("registered", Integer.toString(PAGES));
        assertThat(program.end()).isZero();
    }

    @Test
    void shouldBeThereWhereAPropertyAsksForIt() throws Exception {
        ForkedJvm program = start("asked", "-Dmio.jmx=true");
        assertThat(lines(program)).containsExactly("registered", Integer.toString(PAGES));
        assertThat(program.end()).isZero();
    }

    @Test
    void shouldBeThereWhereManagementIsOnFromTheStart() throws Exception {
        ForkedJvm program = start("asked", "-Dcom.sun.management.jmxremote");
        assertThat(lines(program)).containsExactly("registered", Integer.toString(PAGES));
        assertThat(program.end()).isZero();
    }

    @Test
    void shouldBeThereAfterManagementWasStartedFromOutside() throws Exception {
        ForkedJvm program = start("attached");
        assertThat(program.line()).isEqualTo("false");
        program.jcmd(directory, "ManagementAgent.start_local");
        program.tell("");
        assertThat(program.line()).isEqualTo("registered");
        assertThat(program.line()).isEqualTo(Integer.toString(2 * PAGES));
        assertThat(program.end()).isZero();
    }

    @Test
    void shouldNeverBeThereWhereAPropertySaysSo() throws Exception {
        ForkedJvm program = start("never", "-Dmio.jmx=false");
        assertThat(lines(program)).containsExactly("false");
        assertThat(program.end()).isZero();
    }
}
