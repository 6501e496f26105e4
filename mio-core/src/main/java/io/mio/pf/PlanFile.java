package io.mio.pf;

import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import io.mio.stats.ProcessFacts;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * An events file that plans are made of, read once by the process: the reads of each file, as the
 * topmost trace layer saw them. A plan outlives the open file that goes by it: when the file is
 * opened again, it goes on where it was.
 */
public final class PlanFile {
    /** The most reads of all files that are remembered; each takes 16 bytes. */
    private static final int READS_MAX = 4 << 20;

    private static final Map<String, PlanFile> FILES = new HashMap<>();

    /** The key of a plan that was made. */
    private record Made(String name, int pageBytes) {
        // As in FileKey: the methods that a record has by itself cost a starting JVM ten
        // milliseconds.

        @Override
        public boolean equals(Object other) {
            return other instanceof Made made
                    && name.equals(made.name)
                    && pageBytes == made.pageBytes;
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + pageBytes;
        }
    }

    private final Map<String, PlannedReads> reads = new HashMap<>();

    /** Files of which only one call in several was recorded. */
    private final Set<String> sampled = new HashSet<>();

    /**
     * Recorded names by their last components, null where several have the same: with very many
     * files nobody looks through all of them at each open. The map is null until it is asked for.
     */
    private Map<String, String> alike;

    private final Map<Made, PagePlan> plans = new HashMap<>();
    private final Set<PagePlan> inUse = new HashSet<>();
    private String failure;
    private boolean isCut;

    private PlanFile() {}

    /**
     * The plans of an events file, which is read the first time; where that fails there are none.
     *
     * @param platform file system of the machine itself
     * @param text value of the option {@code plan}
     */
    public static PlanFile of(FileSystem platform, String text) {
        String name = ProcessFacts.expand(text.trim());
        synchronized (FILES) {
            try {
                Path path = platform.getPath(name).toAbsolutePath().normalize();
                PlanFile known = FILES.get(path.toString());
                if (known == null) {
                    known = new PlanFile();
                    FILES.put(path.toString(), known);
                    known.readWhole(path);
                }
                return known;
            } catch (InvalidPathException e) {
                PlanFile none = new PlanFile();
                none.failed(e.getMessage());
                return none;
            }
        }
    }

    /** The same plans for another process, as if it had read the events file itself. */
    public PlanFile another() {
        PlanFile plans = of(reads);
        plans.sampled.addAll(sampled);
        plans.failure = failure;
        plans.isCut = isCut;
        return plans;
    }

    /** Names of the files that have plans, as they were recorded. */
    public Set<String> names() {
        Set<String> names = new HashSet<>(reads.keySet());
        names.removeAll(sampled);
        return names;
    }

    /** Plans of these reads, by the name of their file. */
    static PlanFile of(Map<String, PlannedReads> reads) {
        PlanFile plans = new PlanFile();
        plans.reads.putAll(reads);
        return plans;
    }

    /** Reads the file. An interrupt of the program's thread is kept for the program. */
    private void readWhole(Path path) {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    read(path);
                    return;
                } catch (ClosedByInterruptException again) {
                    reads.clear();
                }
            }
        } catch (NoSuchFileException e) {
            failed("there is no file " + path);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            reads.clear();
            failed(words(e, path));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Describes an error: some exceptions of the platform tell only the file's name. */
    private static String words(Throwable why, Path path) {
        if (why instanceof AccessDeniedException) {
            return path + ": Permission denied";
        }
        boolean named = why instanceof FileSystemException failure && failure.getReason() == null;
        if (named || why.getMessage() == null) {
            return path + ": " + why.getClass().getSimpleName();
        }
        return why.getMessage();
    }

    private void failed(String why) {
        failure = why;
    }

    private void read(Path path) throws IOException {
        try (EventReader reader = EventReader.open(path)) {
            reader.reads(new Taking(reader.files()));
        }
        // No read of such a file makes sense.
        reads.values().removeIf(of -> of.size() == 0);
    }

    /** Takes the reads that the topmost trace layer of each file saw. */
    private final class Taking implements EventReader.ReadTarget {
        private final Map<Integer, EventFile> files;
        private final Map<String, Integer> top;
        private int left = READS_MAX;

        /** File of the last read, an int, and where its reads go; null: nowhere. */
        private long file = Long.MIN_VALUE;

        private PlannedReads of;

        Taking(Map<Integer, EventFile> files) {
            this.files = files;
            this.top = topmost(files);
        }

        @Override
        public boolean read(int newFile, long offset, long bytes) {
            if (newFile != file) {
                file = newFile;
                of = readsOf(files.get(newFile));
            }
            if (of == null) {
                return !isCut;
            }
            if (left == 0) {
                isCut = true;
                return false;
            }
            left -= of.add(newFile, offset, bytes) ? 1 : 0;
            return true;
        }

        private PlannedReads readsOf(EventFile known) {
            if (known == null
                    || known.layer() != EventFormat.OF_TRACE
                    || known.place() != top.get(known.path())) {
                return null;
            }
            if (left == 0 && !reads.containsKey(known.path())) {
                isCut = true;
                return null;
            }
            return reads.computeIfAbsent(known.path(), name -> new PlannedReads());
        }
    }

    private Map<String, Integer> topmost(Map<Integer, EventFile> files) {
        Map<String, Integer> top = new HashMap<>();
        for (EventFile file : files.values()) {
            if (file.layer() == EventFormat.OF_TRACE) {
                top.merge(file.path(), file.place(), Math::min);
                if (file.sample() > 1) {
                    sampled.add(file.path());
                }
            }
        }
        return top;
    }

    /** Why there are no plans, in words, or null. */
    public String failure() {
        return failure;
    }

    /** Why a file has no plan, in words. */
    synchronized String without(String name) {
        String recorded = recorded(name);
        if (recorded != null && sampled.contains(recorded)) {
            return "events_sample left reads of it out";
        }
        return recorded == null
                ? "the events file has no read of it"
                : "another file of that name goes by it";
    }

    /** What to add to a message if not all reads were taken. */
    String leftOut() {
        return isCut ? ", which does not have all reads of the events file" : "";
    }

    /**
     * The plan of a file, to be given back.
     *
     * @param name as the program gives it
     * @return null if there is none, or it is in use
     */
    synchronized PagePlan take(String name, int pageBytes) {
        String recorded = recorded(name);
        if (recorded == null || sampled.contains(recorded)) {
            return null;
        }
        PagePlan plan =
                plans.computeIfAbsent(
                        new Made(recorded, pageBytes),
                        made -> new PagePlan(reads.get(recorded), pageBytes));
        return inUse.add(plan) ? plan : null;
    }

    synchronized void giveBack(PagePlan plan) {
        inUse.remove(plan);
    }

    /**
     * The recorded file of the same name, else the only one whose last component is the same; or
     * null.
     */
    private String recorded(String name) {
        if (reads.containsKey(name)) {
            return name;
        }
        if (alike == null) {
            alike = new HashMap<>();
            for (String other : reads.keySet()) {
                String end = last(other);
                // If several names end alike, none of them.
                alike.put(end, alike.containsKey(end) ? null : other);
            }
        }
        return alike.get(last(name));
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }
}
