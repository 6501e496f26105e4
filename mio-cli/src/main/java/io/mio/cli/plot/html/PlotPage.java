package io.mio.cli.plot.html;

import io.mio.cli.plot.RunPlot;
import io.mio.cli.term.SafeText;
import io.mio.stats.MioVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the interactive page of runs: one file, which loads nothing. A policy in its head allows
 * the scripts in it, by their checksums, and nothing else.
 */
public final class PlotPage {
    /** Places in the template: {@code <!--NAME-->}, each on a line of its own. */
    private static final String PLACE = "<!--";

    /** A line of the template, within its first bytes. */
    private static final String MARK = "<meta name=\"generator\" content=\"mio plot\">";

    private static final int BEGIN_BYTES = 256;

    private final List<RunPlot> runs;
    private final PageOptions options;
    private final OutputStream out;

    private PlotPage(List<RunPlot> runs, PageOptions options, OutputStream out) {
        this.runs = runs;
        this.options = options;
        this.out = out;
    }

    /**
     * Writes the page; the stream stays open.
     *
     * @param runs at least one
     * @throws IOException if the stream does not take it
     */
    public static void write(List<RunPlot> runs, PageOptions options, OutputStream out)
            throws IOException {
        new PlotPage(runs, options, out).write();
    }

    /** Returns whether a file is such a page, by its first lines; false if it cannot be read. */
    public static boolean isOne(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            String begin = new String(in.readNBytes(BEGIN_BYTES), StandardCharsets.UTF_8);
            return begin.contains(MARK);
        } catch (IOException e) {
            return false;
        }
    }

    private void write() throws IOException {
        for (String line : PageParts.resource("page.html").split("\n", -1)) {
            if (line.startsWith(PLACE)) {
                fill(line.substring(PLACE.length(), line.indexOf("-->")));
            } else {
                print(line + "\n");
            }
        }
    }

    private void fill(String place) throws IOException {
        switch (place) {
            case "POLICY" -> print(policy());
            case "TITLE" -> print("<title>" + escaped(title()) + "</title>\n");
            case "STYLE" -> print("<style>" + PageParts.style() + "</style>\n");
            case "DATA" -> data();
            case "LIBRARY" -> {
                print("<!--\n" + escaped(PageParts.libraryLicence()) + "-->\n");
                print("<script>" + PageParts.library() + "</script>\n");
            }
            case "SCRIPT" -> print("<script>" + PageParts.script() + "</script>\n");
            default -> throw new IllegalStateException(place);
        }
    }

    private void data() throws IOException {
        print("<script type=\"application/json\" id=\"meta\">");
        print(PageJson.text(PageMeta.of(runs, options, title())));
        print("</script>\n");
        for (int run = 0; run < runs.size(); run++) {
            RunPlot plot = runs.get(run);
            for (int level = 0; level < plot.levels().size(); level++) {
                block("level-" + run + "-" + level, MarkColumns.of(plot, level));
            }
            block("latency-" + run, CountColumns.of(plot.latency()));
            block("sizes-" + run, CountColumns.of(plot.sizes()));
        }
    }

    private void block(String id, Columns columns) throws IOException {
        print("<script type=\"application/octet-stream\" id=\"" + id + "\">");
        OutputStream text = Base64.getEncoder().wrap(new Unclosed(out));
        columns.writePacked(text);
        text.close();
        print("</script>\n");
    }

    private String policy() {
        return "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri"
                + " 'none'; form-action 'none'; script-src "
                + checksum(PageParts.library())
                + " "
                + checksum(PageParts.script())
                + "; style-src "
                + checksum(PageParts.style())
                + "\">\n";
    }

    private static String checksum(String text) {
        try {
            byte[] sum =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(sum) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private String title() {
        if (options.title() != null) {
            return SafeText.of(options.title());
        }
        return runs.stream().map(run -> SafeText.of(run.label())).collect(Collectors.joining(", "))
                + " - mio "
                + MioVersion.NUMBER;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private void print(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
