/** Modular I/O: shows what I/O a program does and makes it fast, without touching the program. */
module io.mio {
    requires static com.sun.jna;

    exports io.mio.stats;
}
