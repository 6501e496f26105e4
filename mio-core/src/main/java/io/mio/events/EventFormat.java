package io.mio.events;

/** Numbers and places of the format, see {@code docs/format/events.md}; all places in bytes. */
public final class EventFormat {
    /** First eight bytes of a file, read as a little-endian number. */
    public static final long MAGIC = 0x544e4556454f494dL;

    /** First four bytes of a block that is in use, as a number. */
    public static final int BLOCK_MAGIC = 0x424f494d;

    /** Mark of the byte order, stored as the writer's machine stores numbers. */
    public static final int BYTE_ORDER = 0x01020304;

    /** Major version; a reader of another one refuses the file. */
    public static final int MAJOR = 1;

    /** Minor version; higher ones add what may be skipped. */
    public static final int MINOR = 0;

    /** Size of the header. */
    public static final int HEADER_BYTES = 65536;

    /** Bytes of the header that are used. */
    public static final int HEADER_USED = 4096;

    /** Size of a block. */
    public static final int BLOCK_BYTES = 65536;

    /** Size of a block's own header. */
    public static final int BLOCK_HEADER_BYTES = 64;

    /** Size of a record. */
    public static final int RECORD_BYTES = 64;

    /** Number of records in a block. */
    public static final int BLOCK_RECORDS = 1023;

    /** Bytes of text in one record. */
    public static final int TEXT_BYTES = 56;

    /** Size of a text in the header, with the 0 that ends it. */
    public static final int HEADER_TEXT_BYTES = 256;

    /** Door of a native program. */
    public static final int NATIVE = 1;

    /** Door of a JVM. */
    public static final int JVM = 2;

    /** Kind of a block: events. */
    public static final int EVENTS = 1;

    /** Kind of a block: definitions. */
    public static final int DEFINITIONS = 2;

    /** Type of a record: a call. */
    public static final int CALL = 1;

    /** Type of a record: the end of an asynchronous request. */
    public static final int END = 2;

    /** Type of a record: what happened to a page. */
    public static final int PAGE = 3;

    /** Type of a record: events were lost. */
    public static final int DROPPED = 4;

    /** Type of a record: a process. */
    public static final int PROCESS = 16;

    /** Type of a record: a file. */
    public static final int FILE = 17;

    /** Type of a record: text of a definition. */
    public static final int TEXT = 18;

    /** Type of a definition: a decision of a cache layer. */
    public static final int DECISION = 19;

    /** Flag: it failed. */
    public static final int FAILED = 1;

    /** Flag: written to the end of the file. */
    public static final int APPEND = 2;

    /** Flag: an asynchronous page request. */
    public static final int ASYNCHRONOUS = 4;

    /** Layer of a file: trace. */
    public static final int OF_TRACE = 1;

    /** Layer of a file: pf. */
    public static final int OF_PF = 2;

    /** Text: path of a file. */
    public static final int TEXT_PATH = 1;

    /** Text: name of the layer. */
    public static final int TEXT_LAYER = 2;

    /** Text: name of the layer above. */
    public static final int TEXT_ABOVE = 3;

    /** Text: name of the layer below. */
    public static final int TEXT_BELOW = 4;

    /** Text: program of a process. */
    public static final int TEXT_PROGRAM = 5;

    /** Text of a decision: what was decided, a word. */
    public static final int TEXT_WHAT = 6;

    /** Text of a decision: why. */
    public static final int TEXT_REASON = 7;

    /** Place of the number of blocks claimed. */
    public static final int AT_CLAIMED = 128;

    /** Place of the number of events dropped. */
    public static final int AT_DROPPED = 192;

    /** Place of the number of files. */
    public static final int AT_FILES = 256;

    /** Place of the program's name. */
    public static final int AT_PROGRAM = 512;

    /** Place of the host's name. */
    public static final int AT_HOST = 768;

    /** Place of the library's version. */
    public static final int AT_LIBRARY = 1024;

    private EventFormat() {}
}
