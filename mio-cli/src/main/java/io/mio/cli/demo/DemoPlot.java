package io.mio.cli.demo;

import io.mio.cli.plot.PlotOptions;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunReader;
import io.mio.cli.plot.html.PageOptions;
import io.mio.cli.plot.html.PlotPage;
import io.mio.cli.term.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The page that shows both runs, before and after, on the same axes. */
public final class DemoPlot {
    private static final String NAME = "mio-demo.html";

    private DemoPlot() {}

    /**
     * Returns the usual place of the page: in the working directory, as for reports, or where that
     * is not writable, a file of this process in {@code temporary}.
     */
    public static Path usualPlace(Path working, Path temporary) {
        return Files.isWritable(working)
                ? working.resolve(NAME)
                : temporary.resolve("mio-demo-" + ProcessHandle.current().pid() + ".html");
    }

    /**
     * Makes or replaces the page.
     *
     * @throws IOException if the events of a run cannot be read
     * @throws io.mio.cli.term.CliException if the page cannot be written
     */
    public static void write(DemoRun before, DemoRun after, Path page) throws IOException {
        PlotOptions options = PlotOptions.usual();
        List<RunPlot> runs =
                List.of(
                        RunReader.read(before.events(), "before", options),
                        RunReader.read(after.events(), "after", options));
        OutputFile.write(
                page,
                out ->
                        PlotPage.write(
                                runs,
                                new PageOptions("mio demo: before and after", null, "side", ""),
                                out));
    }
}
