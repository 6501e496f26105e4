package io.mio.cli.plot.draw;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Options that say how a picture looks. */
public final class PictureOptions {
    /** Colours of the ground and of what lies on it. */
    public enum Theme {
        LIGHT,
        DARK;

        /** As typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where the second run is. */
    public enum Layout {
        SIDE,
        OVERLAY;

        /** As typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--width",
            paramLabel = "N",
            description = "Width in pixels; of --term in columns. Default: 1200; the terminal's")
    private Integer width;

    @Option(
            names = "--height",
            paramLabel = "N",
            description =
                    "Height of the whole picture in pixels; of --term in lines for each run."
                            + " Default: what the panels need; 24")
    private Integer height;

    @Option(
            names = "--theme",
            paramLabel = "THEME",
            defaultValue = "light",
            description = "light or dark. Default: ${DEFAULT-VALUE}")
    private Theme theme = Theme.LIGHT;

    @Option(
            names = "--panels",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Only these, with commas: ${COMPLETION-CANDIDATES}. Default: those that have"
                            + " something to show")
    private List<Panel> panels = List.of();

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            defaultValue = "side",
            description =
                    "Two runs: side by side on the same scales (side), or one over the other"
                            + " (overlay). Default: ${DEFAULT-VALUE}")
    private Layout layout = Layout.SIDE;

    @Option(names = "--title", paramLabel = "TEXT", description = "What stands above the picture.")
    private String title;

    @Option(
            names = "--density",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "PNG: pixels of the file to one of the width, 1 to 4; 2 for sharp screens."
                            + " Default: ${DEFAULT-VALUE}")
    private int density = 1;

    /** As given, else {@code usual}. */
    public int widthOr(int usual) {
        return width == null ? usual : width;
    }

    /** As given, else {@code usual}. */
    public int heightOr(int usual) {
        return height == null ? usual : height;
    }

    /** Light or dark. */
    public Theme theme() {
        return theme;
    }

    /** Those wanted; empty for all that have something to show. */
    public List<Panel> panels() {
        return panels;
    }

    /** Side by side or overlaid. */
    public Layout layout() {
        return layout;
    }

    /** As given, or null. */
    public String title() {
        return title;
    }

    /** Pixels of the file to one of the picture, in both directions. */
    public int density() {
        return density;
    }
}
