package io.mio.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("mio.PageEvent")
@Label("Page Event")
@Category("MIO")
@Description("Something happened to a page of a cache; there is no event for a hit")
@Enabled(false)
@StackTrace(false)
final class PageEvent extends Event {
    @Label("Kind")
    @Description("What happened: a request for the page or its end, or a wait of the program")
    String kind;

    @Label("Path")
    @Description("Name the file was opened by when it got pages")
    String path;

    @Label("Page Index")
    @Description("Number of the page in the file, the first one is 0")
    long pageIndex;

    @Label("Bytes")
    @Description("Bytes moved; of a page that gave way, bytes that were there")
    @DataAmount
    long bytes;
}
