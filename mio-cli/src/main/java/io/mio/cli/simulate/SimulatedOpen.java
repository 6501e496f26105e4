package io.mio.cli.simulate;

import io.mio.config.LayerSpec;
import io.mio.config.PfOption;
import io.mio.events.EventFile;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import io.mio.pf.PfLayer;
import io.mio.pf.PfLayers;
import io.mio.pf.PlanFile;
import io.mio.stats.PfSnapshot;
import io.mio.stats.StatsBlock;
import io.mio.stats.TraceSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open of a replay: the cache layer of a real open, over a {@link SimulatedLayer}. Everything
 * runs in one thread, so nothing may wait for another thread: before a call that waits for all
 * requests of a file, those requests are completed.
 */
final class SimulatedOpen {
    private final Timeline timeline;
    private final SimulatedFile file;
    private final SimulatedLayer below;
    private final CachedFile cached;
    private final PfLayer layer;
    private final int oflags;
    private final boolean scratch;
    private final boolean through;

    /**
     * Opens the file with a cache.
     *
     * @param global number of the cache if it is a shared one
     * @param plans the plan of the rule, or null
     */
    SimulatedOpen(
            EventFile recorded,
            LayerSpec spec,
            int global,
            int sectorBytes,
            SimulatedFile file,
            Timeline timeline,
            PlanFile plans)
            throws IOException {
        this.timeline = timeline;
        this.file = file;
        this.oflags = recorded.oflags();
        this.scratch = spec.isOn(PfOption.SCRATCH);
        this.through =
                !spec.isOn(PfOption.BEHIND) || (oflags & (OpenFlags.APPEND | OpenFlags.DSYNC)) != 0;
        this.below = new SimulatedLayer(timeline, file);
        this.cached = CachedFiles.enter(file.key());
        try {
            begin(recorded);
            this.layer =
                    PfLayers.over(
                            spec,
                            global,
                            below,
                            cached,
                            request(recorded, file, sectorBytes),
                            SharedFrame.MEMORY,
                            () -> "simulation");
            if (plans != null) {
                layer.follow(plans, recorded.path());
            }
        } catch (IOException | RuntimeException | Error e) {
            CachedFiles.leave(cached);
            throw e;
        }
        file.opens++;
    }

    /** Sets the size to that of the recording, unless what was simulated has made another one. */
    private void begin(EventFile recorded) throws IOException {
        boolean cuts = (oflags & OpenFlags.TRUNC) != 0 && OpenFlags.writes(oflags);
        if (file.opens == 0) {
            long size = Math.max(0, recorded.sizeBytes());
            file.version += file.size == size && !cuts ? 0 : 1;
            file.size = size;
        } else if (!cuts) {
            reaches(recorded.sizeBytes());
        } else {
            timeline.drain(each -> each.file() == file);
            cached.truncating(
                    () -> {
                        file.cut(0);
                        return null;
                    },
                    result -> true);
        }
    }

    private static OpenRequest request(EventFile recorded, SimulatedFile file, int sectorBytes) {
        return new OpenRequest(
                // Never the name of an existing file: a scratch file is removed.
                "",
                recorded.oflags(),
                recorded.mode(),
                file.size,
                0,
                0,
                file.place(sectorBytes),
                file.key(),
                null,
                false,
                true,
                false);
    }

    int cacheId() {
        return layer.cacheId();
    }

    int frames() {
        return layer.frames();
    }

    int pageBytes() {
        return layer.pageBytes();
    }

    SimulatedFile file() {
        return file;
    }

    /** Size of the file as the program sees it, bytes. */
    long size() {
        return Math.max(cached.sizeBytes(), file.size);
    }

    /** The program has seen that the file is as long as this. */
    void reaches(long end) {
        // What is written into pages makes the file longer only when they are written.
        if (end > cached.sizeBytes()) {
            file.reaches(end);
        }
    }

    /** Whether what the program writes stays in pages. */
    boolean keepsWrites() {
        return !through;
    }

    /** Reads; returns the number of bytes that were there. */
    int read(ByteBuffer buffer, long offset) throws IOException {
        return Math.max(0, layer.read(buffer, offset));
    }

    void write(ByteBuffer buffer, long offset, boolean append) throws IOException {
        layer.write(buffer, append ? Layer.APPEND : offset);
    }

    void truncate(long size) throws IOException {
        timeline.drain(each -> each.file() == file);
        layer.truncate(size);
    }

    void flush() throws IOException {
        layer.flush(true);
    }

    /**
     * Closes the open; returns what the file's cache counted, or null if other opens go on to
     * count.
     */
    PfSnapshot close() throws IOException {
        if (!scratch) {
            cached.publish();
        }
        file.opens--;
        timeline.drain(each -> each == below || (file.opens == 0 && each.file() == file));
        try {
            layer.close();
        } finally {
            CachedFiles.leave(cached);
        }
        StatsBlock block = layer.source().file().snapshot(TraceSnapshot.Event.CLOSE);
        return block instanceof PfSnapshot pages ? pages : null;
    }
}
