package io.mio.cli.simulate;

import io.mio.cli.term.CliException;
import io.mio.cli.term.JavaOptions;
import io.mio.config.PfOption;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.layer.FileKey;
import io.mio.pf.PlanFile;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** A process of the recording in a replay: its files, its opens with a cache, and its caches. */
final class SimulatedProcess {
    private static final AtomicLong KEYS = new AtomicLong();

    /** A device number that no real file has, for the keys of simulated files. */
    private static final long DEVICE = Long.MIN_VALUE + 7;

    /** Last cache number given out; each is used once, and is above those that rules can have. */
    private static final AtomicInteger CACHES = new AtomicInteger(1 << 8);

    private record FileId(long device, long inode) {}

    /** A shared cache: its number, and its {@link SimulatedOpen#cacheId}. */
    private record Shared(int number, int cacheId) {}

    private final Timeline timeline;
    private final Map<FileId, SimulatedFile> files = new HashMap<>();
    private final Map<Rule, Shared> caches = new LinkedHashMap<>();

    /** Its own copy of the plan of each rule that has one. */
    private final Map<Rule, PlanFile> plans = new HashMap<>();

    /** Opens with a cache, by the number of the open, in the order of opening. */
    final Map<Integer, SimulatedOpen> opens = new LinkedHashMap<>();

    private int generations;
    private long memoryBytes;
    private long memoryMost;

    SimulatedProcess(Timeline timeline) {
        this.timeline = timeline;
    }

    /** The file of an open; one of its own where it is not known by a number. */
    SimulatedFile file(EventFile recorded) {
        boolean known = recorded.device() != 0 || recorded.inode() != 0;
        if (!known) {
            return new SimulatedFile(null);
        }
        return files.computeIfAbsent(
                new FileId(recorded.device(), recorded.inode()),
                any -> new SimulatedFile(new FileKey(DEVICE, KEYS.incrementAndGet())));
    }

    /** Opens a file with the cache of the rule. */
    SimulatedOpen open(int number, EventFile recorded, Rule rule) throws IOException {
        Shared had = caches.get(rule);
        int cache = had == null ? CACHES.incrementAndGet() : had.number();
        SimulatedFile file = file(recorded);
        if (file.generation == 0 || (file.opens == 0 && !rule.retains())) {
            file.generation = ++generations;
        }
        try {
            SimulatedOpen open =
                    new SimulatedOpen(
                            recorded,
                            rule.cache(),
                            cache,
                            rule.sectorBytes(),
                            file,
                            timeline,
                            plan(rule));
            caches.put(rule, new Shared(cache, open.cacheId()));
            opens.put(number, open);
            return open;
        } catch (OutOfMemoryError e) {
            boolean isTooMany = rule.pages() > SharedFrame.pagesMost();
            throw new CliException(
                    "--config "
                            + rule.text()
                            + ": not enough memory to simulate "
                            + (isTooMany ? "so many pages; take larger ones, or " : "its caches; ")
                            + JavaOptions.MORE);
        }
    }

    /** Its caches have so much more memory now, or less. */
    void memory(long moreBytes) {
        memoryBytes += moreBytes;
        memoryMost = Math.max(memoryMost, memoryBytes);
    }

    /** Most memory that its caches had at the same time, bytes. */
    long memoryMost() {
        return memoryMost;
    }

    private PlanFile plan(Rule rule) {
        return rule.cache().isOn(PfOption.PLAN)
                ? plans.computeIfAbsent(rule, SimulatedProcess::ownPlan)
                : null;
    }

    private static PlanFile ownPlan(Rule rule) {
        PlanFile plan = PlanFile.of(FileSystems.getDefault(), rule.cache().text(PfOption.PLAN));
        if (plan.failure() != null) {
            throw new CliException("--config " + rule.text() + ": no plan: " + plan.failure());
        }
        return plan.another();
    }

    /**
     * Gives up the caches that stayed although no file is open, so that none of their memory stays
     * in this program.
     *
     * @param told gets the rule and the {@link SimulatedOpen#cacheId} of each
     */
    void release(BiConsumer<Rule, Integer> told) throws IOException {
        for (Map.Entry<Rule, Shared> each : caches.entrySet()) {
            Rule rule = each.getKey();
            if (rule.keepsMemory()) {
                new SimulatedOpen(
                                unrecorded(0),
                                rule.released(),
                                each.getValue().number(),
                                rule.sectorBytes(),
                                new SimulatedFile(null),
                                timeline,
                                null)
                        .close();
                told.accept(rule, each.getValue().cacheId());
            }
        }
        caches.clear();
    }

    /** A file that no recording has, with so many bytes. */
    static EventFile unrecorded(long bytes) {
        return new EventFile(
                0, EventFormat.OF_TRACE, 1, 0, 0, 0, 0, 0, -1, bytes, 0, 0, 0, 1, "", "", "", "");
    }
}
