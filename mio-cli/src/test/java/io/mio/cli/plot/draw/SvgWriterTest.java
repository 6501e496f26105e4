package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.plot.Goldens;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunSamples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import picocli.CommandLine;

class SvgWriterTest {
    private static final int BYTES_MAX = 3_000_000;

    @TempDir Path dir;

    private static String picture(List<RunPlot> runs, String... args) throws IOException {
        PictureOptions options = CommandLine.populateCommand(new PictureOptions(), args);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new SvgWriter(options).write(runs, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Document parsed(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldDrawTheGoldenEvents() throws IOException {
        Goldens.assertSame("draw/golden.svg", picture(List.of(RunSamples.golden(dir))));
    }

    @Test
    void shouldDrawAWellKnownRun() throws IOException {
        RunPlot run = RunSamples.wellKnown("before");
        Goldens.assertSame("draw/known.svg", picture(List.of(run), "--width=640"));
        Goldens.assertSame(
                "draw/known-overlay.svg",
                picture(
                        List.of(run, RunSamples.wellKnown("after")),
                        "--layout=overlay",
                        "--theme=dark",
                        "--panels=bandwidth,activity",
                        "--title=Before and after"));
    }

    @Test
    void shouldSayThatPanelsHaveNothingToShow() throws IOException {
        RunPlot run = RunSamples.named("run");
        assertThat(picture(List.of(run), "--panels=pages")).contains("nothing to show in these");
    }

    @Test
    void shouldNameAndDescribeEveryPanel() throws Exception {
        Document svg = parsed(picture(List.of(RunSamples.wellKnown("run"))));
        NodeList groups = svg.getElementsByTagName("g");
        int panels = 0;
        for (int i = 0; i < groups.getLength(); i++) {
            Element group = (Element) groups.item(i);
            if (group.getAttribute("role").equals("group")) {
                panels++;
                assertThat(group.getElementsByTagName("title").item(0).getTextContent())
                        .isNotBlank();
                assertThat(group.getElementsByTagName("desc").item(0).getTextContent())
                        .isNotBlank();
            }
        }
        assertThat(panels).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</text></svg><script>alert(1)</script><img src=x onerror=alert(1)>",
                "\" onload=\"alert(1)",
                "'&amp;&lt;]]><!-- -->",
                "new\nline\ttab\u0000\u001b[31m\u0007",
                "\ud800 \udc00\ud800 \ufffe \uffff",
                "\u202eexe.txt\u2066\u2028",
                "a\u0301\u6f22\u5b57\ud83d\ude00"
            })
    void shouldTakeAnyNameForText(String name) throws Exception {
        String svg = picture(List.of(RunSamples.named(name)));
        Document document = parsed(svg);
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(document.getElementsByTagName("img").getLength()).isZero();
        assertThat(svg.replace("\n", "").chars()).noneMatch(c -> c < 0x20 || c == 0x202e);
        NodeList all = document.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            assertThat(((Element) all.item(i)).hasAttribute("onload")).isFalse();
        }
    }

    @Test
    void shouldStaySmallWhateverTheNumberOfEvents() throws Exception {
        RunPlot run = RunSamples.random(1, 400_000);
        String one = picture(List.of(run));
        assertThat(one.length()).isLessThan(BYTES_MAX);
        parsed(one);
        String two = picture(List.of(run, RunSamples.random(2, 400_000)), "--layout=overlay");
        assertThat(two.length()).isLessThan(BYTES_MAX);
    }

    @Test
    void shouldPassTheLinterOfOthers() throws Exception {
        Path file = dir.resolve("picture.svg");
        Files.writeString(file, picture(List.of(RunSamples.named("a<b>&c\u0001"))));
        Process process;
        try {
            process =
                    new ProcessBuilder("xmllint", "--noout", "--nonet", file.toString())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            Assumptions.abort("no xmllint here: " + e.getMessage());
            return;
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
