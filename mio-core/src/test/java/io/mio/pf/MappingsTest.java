package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.FileKey;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** A file counts as mapped as long as the program may use a mapping of it, and no longer. */
class MappingsTest {
    private final Mappings mappings = new Mappings();
    private final FileKey key = PfFixture.newKey();

    /** Stands for the scope that an arena has, from Java 22 on. */
    private static final class Scope {
        private final boolean automatic;
        private boolean ended;

        Scope(boolean automatic) {
            this.automatic = automatic;
        }
    }

    private record Segment(Scope scope) {}

    private static final class Scopes implements MappedScope {
        @Override
        public Object of(Object mapped) {
            return mapped instanceof Segment segment ? segment.scope() : null;
        }

        @Override
        public boolean isCollected(Object scope) {
            return ((Scope) scope).automatic;
        }

        @Override
        public boolean isAlive(Object scope) {
            return !((Scope) scope).ended;
        }
    }

    private Scope mapped(FileKey file, boolean automatic) {
        Scope scope = new Scope(automatic);
        mappings.add(file, new Segment(scope), new Scopes(), true);
        return scope;
    }

    @Test
    void shouldEndWithTheArena() {
        Scope one = mapped(key, false);
        Scope other = mapped(key, false);
        assertThat(mappings.has(key)).isTrue();
        assertThat(mappings.has(PfFixture.newKey())).isFalse();

        one.ended = true;
        assertThat(mappings.has(key)).isTrue();

        other.ended = true;
        assertThat(mappings.has(key)).isFalse();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldEndWithoutTheProgramOnlyWhereTheMemoryDoes() {
        FileKey automatic = PfFixture.newKey();
        WeakReference<Object> leaked = new WeakReference<>(mapped(key, false));
        WeakReference<Object> unused = new WeakReference<>(mapped(automatic, true));

        while (unused.get() != null) {
            System.gc();
        }
        assertThat(mappings.has(automatic)).isFalse();
        assertThat(mappings.has(key)).isTrue();
        assertThat(leaked.get()).isNotNull();
    }

    @Test
    void shouldLastForGoodWhereNobodyKnowsItsEnd() {
        FileKey second = PfFixture.newKey();
        FileKey third = PfFixture.newKey();
        mappings.add(key, new Segment(new Scope(false)), null, true);
        mappings.add(second, "what nobody knows", new Scopes(), true);
        mappings.add(third, "what nobody knows", new Scopes(), false);

        assertThat(mappings.has(key)).isTrue();
        assertThat(mappings.has(second)).isTrue();
        assertThat(mappings.has(third)).isFalse();

        mappings.isNew(key);
        assertThat(mappings.has(key)).isFalse();
        assertThat(mappings.has(second)).isTrue();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldLiveAsLongAsTheBuffer(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        useMapping(file);

        while (mappings.has(key)) {
            System.gc();
        }
    }

    /** A method of its own, so that no stack frame holds the buffer when it is to be collected. */
    private void useMapping(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            MappedByteBuffer buffer = channel.map(MapMode.READ_ONLY, 0, 100);
            mappings.add(key, buffer, new Scopes(), true);
            assertThat(mappings.has(key)).isTrue();
            assertThat(buffer.get(0)).isZero();
        }
    }

    @Test
    void shouldForgetWhatHasEnded() {
        Scope lives = mapped(key, false);
        for (int i = 0; i < 10_000; i++) {
            mapped(PfFixture.newKey(), false).ended = true;
        }

        assertThat(mappings.size()).isLessThan(100);
        assertThat(mappings.has(key)).isTrue();
        assertThat(lives.ended).isFalse();
    }
}
