/** Modular I/O: shows what I/O a program does and makes it fast, without touching the program. */
module io.mio {
    requires static com.sun.jna;
    // Events and the management bean are there where the JVM has these.
    requires static java.management;
    requires static jdk.jfr;

    exports io.mio;
    exports io.mio.config;
    exports io.mio.events;
    exports io.mio.live;
    exports io.mio.info;
    exports io.mio.stats;
    // The JVM makes the default provider by reflection.
    exports io.mio.fs to
            java.base;

    provides java.nio.file.spi.FileSystemProvider with
            io.mio.fs.MioFileSystemProvider;
}
