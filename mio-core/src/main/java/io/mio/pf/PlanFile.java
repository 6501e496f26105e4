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
 * topmost trace layer saw them. Plans outlive the file that goes by them: when it is opened again
 * it goes on where it was.
 */
public final class PlanFile {
    /** Reads of all files that are remembered; each takes 16 bytes. */
    private static final int READS_MAX = 4 << 20;

    private static final Map<String, PlanFile> FILES = new HashMap<>();

    /** A plan that is made. */
    private record Made(String name, int pageBytes) {
        // As in FileKey.

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

    /** Files of which only one call in so many is there. */
    private final Set<String> sampled = new HashSet<>();

    /**
     * Names by their last parts, null where several end alike: with very many files nobody looks
     * through all of them at each open. Null until it is asked for.
     */
    private Map<String, String> alike;

    private final Map<Made, PagePlan> plans = new HashMap<>();
    private final Set<PagePlan> inUse = new HashSet<>();
    private String failure;
    private boolean isCut;

    private PlanFile() {}

    /**
     * The plans of an events file, which is read if it is the first time; where that fails there
     * are none.
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

    /** The same for a process of its own, as if it had read them itself. */
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

    /** Plans of reads, by the name of their file. */
    static PlanFile of(Map<String, PlannedReads> reads) {
        PlanFile plans = new PlanFile();
        plans.reads.putAll(reads);
        return plans;
    }

    /** An interrupt of the program's thread is kept for the program. */
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

    /** Some exceptions of the platform say the file's name alone. */
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
        failure = "no plan: " + why;
    }

    private void read(Path path) throws IOException {
        try (EventReader reader = EventReader.open(path)) {
            reader.reads(new Taking(reader.files()));
        }
    }

    /** Takes the reads that the topmost trace layer of each file saw. */
    private final class Taking implements EventReader.ReadTarget {
        private final Map<Integer, EventFile> files;
        private final Map<String, Integer> top;
        private int left = READS_MAX;

        /** File of the last read, an int, and where its reads go: null, nowhere. */
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

    /** Why there are no plans, in a line, or null. */
    public String failure() {
        return failure;
    }

    /** Why a file has none, in a line. */
    synchronized String without(String name) {
        String recorded = recorded(name);
        if (recorded != null && sampled.contains(recorded)) {
            return "no plan: events_sample left reads of it out";
        }
        return recorded == null
                ? "no plan: the events file has no read of it"
                : "no plan: another file of that name goes by it";
    }

    /** What is to be said where not all reads were taken. */
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

    /** The same name, else the only one that ends alike; or null. */
    private String recorded(String name) {
        if (reads.containsKey(name)) {
            return name;
        }
        if (alike == null) {
            alike = new HashMap<>();
            for (String other : reads.keySet()) {
                String end = last(other);
                // Of several, none.
                alike.put(end, alike.containsKey(end) ? null : other);
            }
        }
        return alike.get(last(name));
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }
}
