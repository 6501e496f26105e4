package io.mio.config;

/**
 * Options of the pf layer: those of the original in the order of its echo, then MIO's own
 * (reference 3.3, design 6).
 */
public enum PfOption implements LayerOption {
    /** Reads pages in before writes into them, and ahead of streams of writes. */
    PFFW(
            OptionTraits.flag("pffw", false)
                    .since("0.1.0")
                    .says(
                            "Reads a page in before a write into it. `nopffw` writes whole sectors"
                                    + " into an empty page.")),
    /** Gives the frames of a global cache back when its last file is closed. */
    RELEASE(
            OptionTraits.flag("release", true)
                    .since("0.1.0")
                    .says("Gives the memory of a global cache back when its last file is closed.")),
    /** Number of the shared cache; off: a private one. */
    GLOBAL(
            OptionTraits.number("global", OptionKind.INTEGER, 0, 255, "")
                    .bare("0")
                    .off("private")
                    .preset("0")
                    .since("0.1.0")
                    .says(
                            "Number of the cache, which all files with this number share; `private`"
                                    + " gives each open file a cache of its own.")),
    /** Requests to the next layer are asynchronous. */
    ASYNCHRONOUS(
            OptionTraits.flag("asynchronous", true)
                    .off("synchronous")
                    .offAlias("noasynchronous")
                    .since("0.1.0")
                    .says(
                            "Page requests to the next layer are asynchronous; `synchronous` waits"
                                    + " for each one.")),
    /** Page requests go past the kernel's page cache. */
    DIRECT(
            OptionTraits.flag("direct", false)
                    .since("0.1.0")
                    .says("Page requests use direct I/O (O_DIRECT), past the kernel's own cache.")),
    /** Unit of the report: the label of a {@code ByteUnit}. */
    UNIT(OptionTraits.reportUnit().since("0.1.0").says("Unit of the report: powers of 1024.")),
    /** Size of the cache, bytes. */
    CACHE_SIZE(
            OptionTraits.number("cache_size", OptionKind.SIZE, 16L << 10, 1L << 40, "bytes")
                    .preset("64k")
                    .since("0.1.0")
                    .says("Memory of the cache; the original ends at 1g.")),
    /** Size of a page, bytes. */
    PAGE_SIZE(
            OptionTraits.number("page_size", OptionKind.SIZE, 4096, 1L << 30, "bytes")
                    .preset("4k")
                    .since("0.1.0")
                    .says("Bytes per page, which is the largest request to the next layer.")),
    /** Readahead distance, pages; with the numbers 0 and 0 it is automatic. */
    PREFETCH(
            OptionTraits.number("prefetch", OptionKind.RANGE, 1, 65536, "pages")
                    .auto()
                    .preset("auto")
                    .since("0.1.0")
                    .says(
                            "Pages read ahead: a fixed number as in the original, `MIN:MAX` to grow"
                                    + " from one to the other, or `auto`. `MIN:MAX` and `auto` are"
                                    + " extensions; the original has 1 unless told.")),
    /** Fixed stride, pages; 1: the stride is detected. */
    STRIDE(
            OptionTraits.number("stride", OptionKind.INTEGER, 1, 1L << 30, "pages")
                    .preset("1")
                    .since("0.1.0")
                    .says("Step between the pages a program reads; 1 lets MIO find it out.")),
    /**
     * Report at close; {@link LayerSpec#text} is the file, {@code mioout} for that of MIO_STATS.
     */
    STATS(
            OptionTraits.stats("Report on the cache when the file is closed, and where it goes.")
                    .since("0.1.0")),
    /** Allows intermediate reports while the file is open. */
    INTER(
            OptionTraits.flag("inter", false)
                    .since("0.1.0")
                    .says("Reports on demand while the file is open, too.")),
    /** Pages stay in the global cache after the close. */
    RETAIN(
            OptionTraits.flag("retain", false)
                    .since("0.1.0")
                    .says(
                            "Keeps the file's pages in a global cache after close, for the next"
                                    + " open.")),
    /** Page requests are handed over as lists. */
    LISTIO(
            OptionTraits.flag("listio", false)
                    .since("0.1.0")
                    .says("Hands page requests over as lists instead of one by one.")),
    /** Tag that begins every line of the report: {@link LayerSpec#text}. */
    TAG(
            OptionTraits.string("tag")
                    .emptyAllowed()
                    .off("notag")
                    .presetOff()
                    .since("0.1.0")
                    .says("Text before every line of the report, to find it again.")),
    /** The file is not flushed at close, but removed. */
    SCRATCH(
            OptionTraits.flag("scratch", false)
                    .since("0.1.0")
                    .says("The file is not needed after close: it is not flushed, and removed.")),
    /** Range of bytes that are not cached: from the first number up to, without, the second. */
    PASSTHRU(
            OptionTraits.number("passthru", OptionKind.RANGE, 0, Long.MAX_VALUE, "bytes")
                    .braced()
                    .preset("0:0")
                    .since("0.1.0")
                    .says(
                            "Part of the file that is never cached: from the first byte up to,"
                                    + " without, the second. `{0:0}` is none.")),
    /** Full pages are written asynchronously; off: every write goes to the kernel at once. */
    BEHIND(
            OptionTraits.flag("behind", true)
                    .off("through")
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Full pages are written while the program runs on; `through` hands"
                                    + " every write to the kernel at once.")),
    /** How a page is chosen to give way; {@link LayerSpec#text} is {@code auto} or {@code lru}. */
    REPLACE(
            OptionTraits.keyedChoice("replace", "auto", "lru")
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Which page gives way: `lru` the least recently used one as in the"
                                    + " original; `auto` also keeps re-read pages against one-time"
                                    + " scans.")),
    /** Requests of at least this size go past the cache, bytes; 0: none. */
    DISCOVERED_DIRECT(
            OptionTraits.number("discovered_direct", OptionKind.SIZE, 0, 1L << 40, "bytes")
                    .preset("0")
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Requests of at least this size go to the next layer without being"
                                    + " cached; 0 means none.")),
    /** Streams recognised at the same time per file. */
    STREAMS(
            OptionTraits.number("streams", OptionKind.INTEGER, 1, 1024, "")
                    .preset("16")
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Streams recognised at the same time in one file; with `auto`, 8 at"
                                    + " most.")),
    /** Buffered I/O that leaves nothing in the kernel's page cache. */
    UNCACHED(
            OptionTraits.flag("uncached", false)
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Buffered requests that leave nothing in the kernel's cache"
                                    + " (RWF_DONTCACHE, where the kernel has it).")),
    /** No pages at first: tells the kernel what will be read, and may take pages later. */
    AUTO(
            OptionTraits.flag("auto", false)
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Leaves the file to the kernel's cache and tells the kernel what will"
                                    + " be read; takes a few pages for small requests.")),
    /** Plan of what will be read; {@link LayerSpec#text} is the events file that tells it. */
    PLAN(
            OptionTraits.string("plan")
                    .off("noplan")
                    .presetOff()
                    .extension()
                    .since("0.1.0")
                    .says(
                            "Events file of an earlier run (`trace/events`): what that read is read"
                                    + " ahead in the same order, random or not, as long as the"
                                    + " program keeps to it."));

    @SuppressWarnings("ImmutableEnumChecker") // filled in here, read-only afterwards
    private final OptionTraits traits;

    PfOption(OptionTraits traits) {
        this.traits = traits;
    }

    @Override
    public OptionTraits traits() {
        return traits;
    }
}
