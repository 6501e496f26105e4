package io.mio.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("mio.FileOpen")
@Label("File Open")
@Category("MIO")
@Description("A file that a rule of MIO matches was opened and has got its layers")
@Enabled(false)
final class FileOpenEvent extends Event {
    @Label("Path")
    @Description("Name of the file as the program gave it")
    String path;

    @Label("Layers")
    @Description("Layers of this open, from the program down to the file")
    String layers;

    @Label("Flags")
    @Description("Open flags as the kernel names them")
    String flags;

    @Label("File Size")
    @Description("Size of the file just after the open")
    @DataAmount
    long fileSize;
}
