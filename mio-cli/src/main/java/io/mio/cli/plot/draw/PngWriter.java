package io.mio.cli.plot.draw;

import io.mio.cli.plot.PlotWriter;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.term.CliException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes a picture as PNG. */
public final class PngWriter implements PlotWriter {
    /** Most pixels for a heap of 256 MB: each takes 12 bytes. */
    private static final long PIXELS_MAX = 10_000_000;

    private static final int DENSITY_MAX = 4;

    private final PictureOptions options;

    /** Makes a writer of pictures that look like this. */
    public PngWriter(PictureOptions options) {
        this.options = options;
    }

    @Override
    public void write(List<RunPlot> runs, OutputStream out) throws IOException {
        int density = options.density();
        if (density < 1 || density > DENSITY_MAX) {
            throw new CliException(2, "--density: 1 to " + DENSITY_MAX);
        }
        Picture picture = new Picture(runs, options);
        if ((long) picture.width() * picture.height() * density * density > PIXELS_MAX) {
            throw new CliException(
                    2,
                    "--width: the picture would have more than 10 million pixels; make it smaller,"
                            + " or an .svg");
        }
        RasterScene scene =
                new RasterScene(picture.width(), picture.height(), density, picture.ground());
        picture.paint(scene);
        scene.write(out);
    }
}
