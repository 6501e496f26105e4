package io.mio.cli.plot.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The parts of every page: its style, its scripts, and the charting library with its licence. */
final class PageParts {
    /** Modules in the order in which they are put together; each may use those before it. */
    private static final List<String> MODULES =
            List.of(
                    "units.js",
                    "palette.js",
                    "data.js",
                    "levels.js",
                    "bins.js",
                    "marks.js",
                    "text.js",
                    "view.js",
                    "planes.js",
                    "rates.js",
                    "flight.js",
                    "spread.js",
                    "panels.js",
                    "frame.js",
                    "render.js",
                    "overview.js",
                    "hover.js",
                    "slope.js",
                    "gestures.js",
                    "files.js",
                    "runs.js",
                    "toolbar.js",
                    "print.js",
                    "main.js");

    private static final String LIBRARY = "/META-INF/resources/webjars/d3/7.9.0/";

    private PageParts() {}

    static String style() {
        return resource("page.css");
    }

    /** Returns all modules as one function, so that they leave nothing behind unintentionally. */
    static String script() {
        StringBuilder all = new StringBuilder("(function () {\n'use strict';\n");
        for (String module : MODULES) {
            all.append(resource(module));
        }
        return all.append("})();\n").toString();
    }

    static String library() {
        return resource(LIBRARY + "dist/d3.min.js");
    }

    static String libraryLicence() {
        return "d3 7.9.0, which this page contains.\n" + resource(LIBRARY + "LICENSE");
    }

    /** Returns the text of a resource beside this class, or of an absolute name. */
    static String resource(String name) {
        try (InputStream in = PageParts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
