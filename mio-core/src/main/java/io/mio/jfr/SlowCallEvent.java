package io.mio.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

@Name("mio.SlowCall")
@Label("Slow Call")
@Category("MIO")
@Description("A call of the program on a file with layers took at least as long as the threshold")
@Enabled(false)
@Threshold("10 ms")
final class SlowCallEvent extends Event {
    @Label("Operation")
    String operation;

    @Label("Path")
    @Description("Name of the file as the program gave it")
    String path;

    @Label("Offset")
    @Description("First byte concerned; -1 for a write to the end, and where there is none")
    long offset;

    @Label("Bytes Requested")
    @DataAmount
    long requested;

    @Label("Bytes")
    @Description("Bytes moved; 0 at the end of the file, and if the call failed")
    @DataAmount
    long bytes;
}
