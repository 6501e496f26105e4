package io.mio.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("mio.FileClose")
@Label("File Close")
@Category("MIO")
@Description(
        "A file that a rule of MIO matches was closed, with what was counted since it was opened")
@Enabled(false)
final class FileCloseEvent extends Event {
    @Label("Path")
    @Description("Name of the file as the program gave it")
    String path;

    @Label("Layers")
    @Description("Layers of this open, from the program down to the file")
    String layers;

    @Label("Open Time")
    @Description("How long the file was open")
    @Timespan(Timespan.NANOSECONDS)
    long openTime;

    @Label("Reads")
    @Description("Reads of the program, asynchronous ones included")
    long reads;

    @Label("Bytes Read")
    @DataAmount
    long readBytes;

    @Label("Read Time")
    @Description("Time in reads, and in waits for asynchronous ones; known with a layer trace")
    @Timespan(Timespan.NANOSECONDS)
    long readTime;

    @Label("Writes")
    @Description("Writes of the program, asynchronous ones included")
    long writes;

    @Label("Bytes Written")
    @DataAmount
    long writeBytes;

    @Label("Write Time")
    @Description("Time in writes, and in waits for asynchronous ones; known with a layer trace")
    @Timespan(Timespan.NANOSECONDS)
    long writeTime;

    @Label("Hits")
    @Description("Reads of the program that found all their bytes in pages")
    long hits;

    @Label("Misses")
    @Description("Pages the program had to wait for that nobody had asked for")
    long misses;

    @Label("Page Reads")
    @Description("Read requests of the cache")
    long pageReads;

    @Label("Page Bytes Read")
    @DataAmount
    long pageReadBytes;

    @Label("Page Writes")
    @Description("Write requests of the cache")
    long pageWrites;

    @Label("Page Bytes Written")
    @DataAmount
    long pageWriteBytes;

    @Label("Prefetches")
    @Description("Pages read or prepared ahead of the program")
    long prefetches;

    @Label("Prefetches Unused")
    @Description("Of these, pages that gave way before anybody used them")
    long prefetchesUnused;

    @Label("Waits")
    @Description("Times the program waited for a page that was on its way")
    long waits;

    @Label("Wait Time")
    @Timespan(Timespan.NANOSECONDS)
    long waitTime;
}
