package io.mio.cli.bench;

import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.plot.draw.LineChart.Plot;
import io.mio.cli.plot.draw.LineChart.Series;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A benchmark as a picture: rates by record. With one configuration, there is a panel for each size
 * of file, with a line for each test. With several, there is a panel for each test, with a line for
 * each configuration.
 */
public final class BenchChart {
    /** Bytes of a KB as IOzone counts. */
    private static final double KB = 1024;

    private final BenchReport report;
    private final BenchOptions options;

    public BenchChart(BenchReport report) {
        this.report = report;
        this.options = report.options();
    }

    /**
     * Returns the form that the end of a name asks for.
     *
     * @return {@code svg}, {@code png} or {@code html}; null for others
     */
    public static String form(String name) {
        for (String form : List.of("svg", "png", "html")) {
            if (name.toLowerCase(Locale.ROOT).endsWith("." + form)) {
                return form;
            }
        }
        return null;
    }

    /** Writes the picture in a form that {@link #form} has returned. */
    public void write(String form, OutputStream out) throws IOException {
        switch (form) {
            case "png" -> chart().png(out);
            case "svg" -> chart().svg(out);
            default -> html(out);
        }
    }

    /** Writes a page that needs no other file. */
    private void html(OutputStream out) throws IOException {
        ByteArrayOutputStream svg = new ByteArrayOutputStream();
        chart().svg(svg);
        String picture = svg.toString(StandardCharsets.UTF_8);
        String page =
                "<!DOCTYPE html>\n"
                    + "<html lang=\"en\">\n"
                    + "<head><meta charset=\"utf-8\"><title>mio"
                    + " bench</title><style>body{margin:0}svg{width:100%;height:auto}</style></head>\n"
                    + "<body>\n"
                        + picture.substring(picture.indexOf("<svg"))
                        + "</body>\n</html>\n";
        out.write(page.getBytes(StandardCharsets.UTF_8));
    }

    private LineChart chart() {
        List<Plot> plots = new ArrayList<>();
        List<Long> sizes = report.points().stream().map(Point::sizeBytes).distinct().toList();
        boolean compared = options.configurations().size() > 1;
        for (long size : sizes) {
            List<Point> points =
                    report.points().stream().filter(point -> point.sizeBytes() == size).toList();
            String file = "file " + Sizes.text(size);
            if (!compared) {
                plots.add(plot(file, points, tests(points)));
                continue;
            }
            for (BenchTest test : options.tests()) {
                String heading = sizes.size() == 1 ? test.id() : test.id() + ", " + file;
                plots.add(plot(heading, points, configurations(points, test)));
            }
        }
        List<String> facts = new ArrayList<>();
        for (String line : new ReportHead(report).lines()) {
            facts.add(line.replaceAll(" +", " "));
        }
        facts.add(
                options.isRepeated()
                        ? "Medians, with the least and the most of the runs."
                        : "One run of each: any difference may be chance.");
        return new LineChart(facts.remove(0), facts, plots, "record");
    }

    private static Plot plot(String heading, List<Point> points, List<Series> series) {
        List<String> records =
                points.stream().map(point -> Sizes.text(point.recordBytes())).toList();
        return new Plot(heading, records, series);
    }

    private List<Series> tests(List<Point> points) {
        Configuration only = options.configurations().get(0);
        return options.tests().stream().map(test -> series(test.id(), points, only, test)).toList();
    }

    private List<Series> configurations(List<Point> points, BenchTest test) {
        return options.configurations().stream()
                .map(one -> series(one.name(), points, one, test))
                .toList();
    }

    private Series series(
            String label, List<Point> points, Configuration configuration, BenchTest test) {
        return new Series(
                label,
                ends(points, configuration, test, Spread::median),
                ends(points, configuration, test, Spread::least),
                ends(points, configuration, test, Spread::most));
    }

    private List<Double> ends(
            List<Point> points,
            Configuration configuration,
            BenchTest test,
            ToDoubleFunction<Spread> end) {
        List<Double> rates = new ArrayList<>();
        for (Point point : points) {
            Spread spread =
                    report.results().spread(configuration, point, test, Sample::kbPerSecond);
            rates.add(spread == null ? Double.NaN : KB * end.applyAsDouble(spread));
        }
        return rates;
    }
}
