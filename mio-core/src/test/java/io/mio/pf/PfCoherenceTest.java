package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.Layer.Bypass;
import io.mio.stats.PfSnapshot;
import io.mio.stats.PfSnapshot.Transfers;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages and file agree, also with requests past the cache and with others who change the file. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfCoherenceTest extends PfCoherenceFixture {
    // ---- past the cache

    @Test
    void shouldHonourPagesInLargeRequestsThatGoPastThem() throws IOException {
        PfLayer layer = open(OPTIONS + "/discovered_direct=16k");
        write(layer, 'n', 10 * PAGE + 100, 50);
        below.calls();
        ByteBuffer large = ByteBuffer.allocate(16 << 10);
        assertThat(layer.read(large, 9 * PAGE)).isEqualTo(16 << 10);
        assertThat(large.get(PAGE + 99)).isEqualTo((byte) 'o');
        assertThat(large.get(PAGE + 100)).isEqualTo((byte) 'n');
        assertThat(large.get(PAGE + 150)).isEqualTo((byte) 'o');
        assertThat(below.calls()).contains("read " + 9 * PAGE + "+16384");

        write(layer, 'L', 9 * PAGE, 16 << 10);
        assertThat(below.calls()).containsExactly("write " + 9 * PAGE + "+16384");
        reads(layer, 'L', 10 * PAGE, PAGE);
        assertThat(below.calls()).as("the page that was there was brought up to date").isEmpty();
        close(layer);
    }

    @Test
    void shouldCountWhatGoesPastThemAsRequestsToTheNextLayer() throws IOException {
        PfLayer layer = open(OPTIONS + "/discovered_direct=16k");
        write(layer, 'L', 0, 16 << 10);
        reads(layer, 'L', 0, 16 << 10);
        layer.read(ByteBuffer.allocate(20 << 10), 0);
        PfSnapshot counted = PfFixture.counters(layer);
        assertThat(counted.child()).isEqualTo(new Transfers(16 << 10, 1, 36 << 10, 2));
        assertThat(counted.details().hits()).isZero();
        close(layer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"through", "passthru={0:64k}"})
    void shouldCountAWriteThatGoesDownAtOnceAsOneToTheNextLayer(String option) throws IOException {
        PfLayer layer = open(OPTIONS + "/" + option);
        write(layer, 't', 0, 100);
        assertThat(PfFixture.counters(layer).child()).isEqualTo(new Transfers(100, 1, 0, 0));
        close(layer);
    }

    /** Direct I/O below would write zeros into memory for what lies beyond the end of the file. */
    @Test
    void shouldReadPastThePagesNoFurtherThanToTheEnd() throws IOException {
        PfLayer layer = open(OPTIONS + "/discovered_direct=4k");
        write(layer, 'n', SIZE, 100);
        below.calls();
        ByteBuffer bytes = ByteBuffer.allocate(8192);
        assertThat(layer.read(bytes, SIZE - 1024)).isEqualTo(1124);
        assertThat(bytes.limit()).isEqualTo(8192);
        assertThat(below.calls()).contains("read " + (SIZE - 1024) + "+1124");
        assertThat(layer.read(bytes.clear(), SIZE + 100)).isEqualTo(-1);
        below.write(ByteBuffer.wrap(filled((byte) 'o', 50)), SIZE + 100);
        assertThat(layer.read(bytes.clear(), SIZE + 100)).isEqualTo(50);
        close(layer);
    }

    @Test
    void shouldNeverKeepAPartThatIsNotToBeCached() throws IOException {
        PfLayer layer = open(OPTIONS + "/passthru={5000:6000}");
        write(layer, 'n', 5200, 100);
        assertThat(below.calls()).containsExactly("write 5200+100");
        reads(layer, 'n', 5200, 100);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 100)), 5200);
        reads(layer, 'x', 5200, 100);

        write(layer, 'w', 4000, 4000);
        reads(layer, 'w', 4000, 4000);
        assertThat(content(5000, 1000)).isEqualTo(filled((byte) 'w', 1000));
        close(layer);
        assertThat(content(4000, 4000)).isEqualTo(filled((byte) 'w', 4000));
    }

    @Test
    void shouldReadAnewWhatIsNotCachedOfALargerRequest() throws IOException {
        PfLayer layer = open(OPTIONS + "/passthru={5000:6000}");
        reads(layer, 'o', 4000, 4000);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 1000)), 5000);
        ByteBuffer dst = ByteBuffer.allocate(4000);
        assertThat(layer.read(dst, 4000)).isEqualTo(4000);

        assertThat(dst.array()).isEqualTo(content(4000, 4000));
        close(layer);
    }

    /** Others may write the rest of such a sector. */
    @Test
    void shouldKeepNoSectorThatIsInThatPartInPart() throws IOException {
        PfLayer layer = open(OPTIONS + "/passthru={5000:6000}");
        for (int at : new int[] {4990, 6010}) {
            reads(layer, 'o', at, 10);
            below.write(ByteBuffer.wrap(filled((byte) 'x', 10)), at);
            write(layer, 'n', at + 10 * Integer.signum(at - 5000), 1);
        }
        close(layer);
        assertThat(content(4990, 10)).isEqualTo(filled((byte) 'x', 10));
        assertThat(content(6010, 10)).isEqualTo(filled((byte) 'x', 10));
    }

    @Test
    void shouldAgreeWithAnOpenWithoutACache() throws IOException {
        PfLayer layer = open(OPTIONS);
        CachedFile file = CachedFiles.enter(key);
        AttachedLayer plain = new AttachedLayer(file, below);
        write(layer, 'n', 100, 50);
        write(layer, 'e', SIZE, 10);

        assertThat(plain.size()).isEqualTo(SIZE + 10);
        reads(plain, 'n', 100, 50);
        write(plain, 'p', 120, 10);
        reads(layer, 'p', 120, 10);
        write(layer, 'f', 200, 10);
        below.calls();
        plain.flush(false);
        assertThat(below.calls()).containsExactly("write 0+512", "flush");
        plain.truncate(125);
        assertThat(layer.size()).isEqualTo(125);
        close(layer);
        plain.flush(false);
        plain.truncate(120);
        CachedFiles.leave(file);
        assertThat(below.calls()).containsSequence("flush", "truncate 120");
        assertThat(below.content()).hasSize(120);
    }

    // ---- others change the file

    @Test
    void shouldSeeThatOthersMadeTheFileLonger() throws IOException {
        below.truncate(PAGE + 100);
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', PAGE, 100);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 1000)), PAGE + 100);

        assertThat(layer.size()).isEqualTo(PAGE + 1100);
        reads(layer, 'x', PAGE + 100, 1000);
        close(layer);
    }

    @Test
    void shouldSeeThatOthersMadeTheFileLongerWhenItReadsThere() throws IOException {
        below.truncate(PAGE + 100);
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', PAGE, 100);
        assertThat(layer.read(ByteBuffer.allocate(10), PAGE + 100)).isEqualTo(-1);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 1000)), PAGE + 100);

        reads(layer, 'x', PAGE + 100, 1000);
        close(layer);
    }

    @Test
    void shouldSeeThatOthersCutTheFile() throws IOException {
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', 10 * PAGE, PAGE);
        below.truncate(10 * PAGE + 100);

        assertThat(layer.size()).isEqualTo(10 * PAGE + 100);
        assertThat(layer.read(ByteBuffer.allocate(PAGE), 10 * PAGE)).isEqualTo(100);
        assertThat(layer.read(ByteBuffer.allocate(PAGE), 11 * PAGE)).isEqualTo(-1);
        close(layer);
    }

    @Test
    void shouldReadUpToWhereOthersHaveCutTheFile() throws IOException {
        PfLayer layer = open(OPTIONS);
        below.truncate(10 * PAGE + 100);
        ByteBuffer dst = ByteBuffer.allocate(3 * PAGE);
        assertThat(layer.read(dst, 9 * PAGE)).isEqualTo(PAGE + 100);

        assertThat(dst.position()).isEqualTo(PAGE + 100);
        close(layer);
    }

    @Test
    void shouldSeeWhatOthersAddedOnceNothingOfItsOwnIsLeft() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 100, 50);
        layer.truncate(0);
        assertThat(CachedFiles.find(key).pages().count()).isZero();
        below.write(ByteBuffer.wrap(filled((byte) 'x', 1000)), 0);

        assertThat(layer.size()).isEqualTo(1000);
        reads(layer, 'x', 0, 1000);
        close(layer);
    }

    /** The dirty bytes lie beyond the new end, and the file below ends before it. */
    @Test
    void shouldBeAsLongAsItWasCutTo() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', SIZE + 20 * PAGE, 100);
        layer.truncate(SIZE + 10 * PAGE);

        assertThat(below.content()).hasSize(SIZE + 10 * PAGE);
        reads(layer, '\0', SIZE + 9 * PAGE, PAGE);
        close(layer);
        assertThat(below.content()).hasSize(SIZE + 10 * PAGE);
    }

    @Test
    void shouldAskForSpaceAgainOnceOthersHaveCutTheFile() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', SIZE, PAGE);
        layer.flush(false);
        below.truncate(PAGE);
        below.reserves(false);
        assertThat(layer.size()).isEqualTo(PAGE);
        write(layer, 'm', SIZE, 100);

        assertThat(below.content()).as("without space it is not kept").hasSize(SIZE + 100);
        close(layer);
    }

    @Test
    void shouldWriteAtOnceWherePagesCannotBeRead() throws IOException {
        PfLayer layer = PfFixture.openBlind(OPTIONS, below, key);
        below.fault((write, at, length) -> write ? null : new IOException("Bad file descriptor"));
        write(layer, 'n', 100, 50);
        below.fault((write, at, length) -> null);
        assertThat(content(100, 50)).isEqualTo(filled((byte) 'n', 50));
        close(layer);
    }

    // ---- others who write between two sectors of ours

    @ParameterizedTest
    @ValueSource(strings = {"discovered_direct=1m", "passthru={512:1k}"})
    void shouldWriteNoSectorThatMayHaveBeenWrittenPastItsPage(String option) throws IOException {
        PfLayer layer = open("cache=64k/page=16k/private/pref=1/" + option);
        reads(layer, 'o', 0, 16 << 10);
        write(layer, 'n', 0, 512);
        write(layer, 'n', 1024, 512);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 512)), 512);
        layer.flush(false);

        assertThat(content(0, 512)).isEqualTo(filled((byte) 'n', 512));
        assertThat(content(512, 512)).isEqualTo(filled((byte) 'x', 512));
        assertThat(content(1024, 512)).isEqualTo(filled((byte) 'n', 512));
        close(layer);
    }

    // ---- locks

    @Test
    void shouldSeeWhatOthersWroteBesideADirtySectorBeforeItWasLocked() throws IOException {
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', 2 * PAGE, PAGE);
        write(layer, 'n', 2 * PAGE, 512);
        reads(layer, 'o', 2 * PAGE + 512, 1024);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 512)), 2 * PAGE + 1024);
        layer.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock");

        reads(layer, 'x', 2 * PAGE + 1024, 512);
        reads(layer, 'n', 2 * PAGE, 512);
        close(layer);
    }

    // ---- locks of a part

    @Test
    void shouldWriteAtOnceFromTheFirstLockOfAPartOn() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'b', 200, 10);
        layer.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock");
        write(layer, 'w', 300, 10);
        assertThat(content(300, 10)).as("nobody else writes").isEqualTo(filled((byte) 'o', 10));
        layer.around(Bypass.LOCK, 0, 1, () -> "lock");
        assertThat(content(300, 10)).isEqualTo(filled((byte) 'w', 10));
        reads(layer, 'o', 100, 10);
        // Another process has locked the next bytes.
        below.write(ByteBuffer.wrap(filled((byte) 'x', 10)), 110);
        write(layer, 'n', 100, 10);
        assertThat(content(100, 10)).isEqualTo(filled((byte) 'n', 10));
        close(layer);

        assertThat(content(110, 10)).isEqualTo(filled((byte) 'x', 10));
    }
}
