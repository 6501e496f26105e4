package io.mio.cli.plot.draw;

import io.mio.cli.plot.PlotWriter;
import io.mio.cli.plot.RunPlot;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes a picture as SVG. */
public final class SvgWriter implements PlotWriter {
    private final PictureOptions options;

    /** Makes a writer of pictures that look like this. */
    public SvgWriter(PictureOptions options) {
        this.options = options;
    }

    @Override
    public void write(List<RunPlot> runs, OutputStream out) throws IOException {
        Picture picture = new Picture(runs, options);
        SvgScene scene =
                new SvgScene(
                        picture.width(),
                        picture.height(),
                        picture.ground(),
                        picture.title(),
                        picture.description());
        picture.paint(scene);
        out.write(scene.text().getBytes(StandardCharsets.UTF_8));
    }
}
