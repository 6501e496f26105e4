package io.mio.cli.plot.draw;

import io.mio.cli.term.Choice;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that say how a picture looks. */
public final class PictureOptions {
    /** Colours of the ground and of what lies on it. */
    public enum Theme {
        LIGHT,
        DARK;

        /** Returns the name as typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Converts a name as the help shows it. */
    static final class ThemeConverter implements ITypeConverter<Theme> {
        @Override
        public Theme convert(String name) {
            return Choice.of(Theme.class, name, "theme");
        }
    }

    /** Converts a name as the help shows it. */
    static final class LayoutConverter implements ITypeConverter<Layout> {
        @Override
        public Layout convert(String name) {
            return Choice.of(Layout.class, name, "layout");
        }
    }

    /** The names of panels, as typed. */
    static final class PanelNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Panel.values()).map(Panel::toString).iterator();
        }
    }

    /** Converts a name as the help shows it. */
    static final class PanelConverter implements ITypeConverter<Panel> {
        @Override
        public Panel convert(String name) {
            for (Panel panel : Panel.values()) {
                if (panel.toString().equals(name.trim())) {
                    return panel;
                }
            }
            throw new TypeConversionException(
                    "there is no panel '"
                            + name
                            + "'; there are "
                            + String.join(", ", new PanelNames()));
        }
    }

    /** Where the second run is drawn. */
    public enum Layout {
        SIDE,
        OVERLAY;

        /** Returns the name as typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--width",
            paramLabel = "N",
            converter = Choice.Small.class,
            description = "Width in pixels; of --term in columns. Default: 1200; the terminal's")
    private Integer width;

    @Option(
            names = "--height",
            paramLabel = "N",
            converter = Choice.Small.class,
            description =
                    "Height of the whole picture in pixels; of --term in lines for each run."
                            + " Default: what the panels need; 24")
    private Integer height;

    @Option(
            names = "--theme",
            paramLabel = "THEME",
            converter = ThemeConverter.class,
            defaultValue = "light",
            description = "light or dark. Default: ${DEFAULT-VALUE}")
    private Theme theme = Theme.LIGHT;

    @Option(
            names = "--panels",
            paramLabel = "NAME",
            split = ",",
            converter = PanelConverter.class,
            completionCandidates = PanelNames.class,
            description =
                    "Only these, with commas: ${COMPLETION-CANDIDATES}. Default: those that have"
                            + " something to show")
    private List<Panel> panels = List.of();

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            converter = LayoutConverter.class,
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
            converter = Choice.Small.class,
            defaultValue = "1",
            description =
                    "PNG: pixels of the file to one of the width, 1 to 4; 2 for sharp screens."
                            + " Default: ${DEFAULT-VALUE}")
    private int density = 1;

    /** Returns the width as given, else {@code usual}. */
    public int widthOr(int usual) {
        return width == null ? usual : width;
    }

    /** Returns the height as given, else {@code usual}. */
    public int heightOr(int usual) {
        return height == null ? usual : height;
    }

    /** Returns the theme, light or dark. */
    public Theme theme() {
        return theme;
    }

    /** Returns the panels that are wanted; empty for all that have something to show. */
    public List<Panel> panels() {
        return panels;
    }

    /** Returns the layout, side by side or overlaid. */
    public Layout layout() {
        return layout;
    }

    /** Returns the title as given, or null. */
    public String title() {
        return title;
    }

    /** Returns the pixels of the file for one of the picture, in both directions. */
    public int density() {
        return density;
    }
}
