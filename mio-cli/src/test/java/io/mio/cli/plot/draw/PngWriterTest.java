package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.plot.Goldens;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunSamples;
import io.mio.cli.term.CliException;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PngWriterTest {
    @TempDir Path dir;

    private static PictureOptions options(String... args) {
        return CommandLine.populateCommand(new PictureOptions(), args);
    }

    private static BufferedImage picture(List<RunPlot> runs, String... args) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PngWriter(options(args)).write(runs, out);
        return ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
    }

    /** A check sum of all pixels, as another decoder than MIO's sees them. */
    private static String sum(BufferedImage image) {
        CRC32 sum = new CRC32();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int rgb = image.getRGB(x, y);
                sum.update(rgb >> 16);
                sum.update(rgb >> 8);
                sum.update(rgb);
            }
        }
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }

    @Test
    void shouldDrawTheSamePixelsOnAllMachines() throws IOException {
        StringBuilder sums = new StringBuilder();
        RunPlot run = RunSamples.wellKnown("run");
        RunPlot other = RunSamples.wellKnown("other");
        for (String args :
                List.of(
                        "--theme=light",
                        "--theme=dark",
                        "--width=500 --panels=activity,pages",
                        "--density=2 --width=400 --panels=latency",
                        "--height=900")) {
            BufferedImage image = picture(List.of(run), args.split(" +", 0));
            sums.append(line(args, image));
        }
        sums.append(line("side", picture(List.of(run, other))));
        sums.append(line("overlay", picture(List.of(run, other), "--layout=overlay")));
        sums.append(line("golden", picture(List.of(RunSamples.golden(dir)))));
        Goldens.assertSame("draw/pixels.txt", sums.toString());
    }

    private static String line(String what, BufferedImage image) {
        return what + " " + image.getWidth() + "x" + image.getHeight() + " " + sum(image) + "\n";
    }

    @Test
    void shouldDrawReadsAndWritesWhereTheyAre() throws IOException {
        BufferedImage image =
                picture(List.of(RunSamples.wellKnown("run")), "--panels=activity", "--width=800");
        int reds = 0;
        int blues = 0;
        for (int x = 80; x < 780; x++) {
            for (int y = 160; y < 300; y++) {
                int rgb = image.getRGB(x, y);
                int red = rgb >> 16 & 0xff;
                int blue = rgb & 0xff;
                // Writes come first, reads in the second half.
                reds += x < 440 && red > blue + 80 ? 1 : 0;
                blues += x > 440 && blue > red + 80 ? 1 : 0;
                assertThat(x < 440 && blue > red + 120).as("read at %d, %d", x, y).isFalse();
            }
        }
        assertThat(reds).isGreaterThan(100);
        assertThat(blues).isGreaterThan(100);
    }

    @Test
    void shouldWritePicturesThatOthersDecodePixelByPixel() throws IOException {
        Random random = new Random(7);
        int[] rgb = random.ints(31 * 17, 0, 1 << 24).toArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PngFile.write(rgb, 31, 17, 2, out);
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
        assertThat(image.getWidth()).isEqualTo(31);
        for (int i = 0; i < rgb.length; i++) {
            assertThat(image.getRGB(i % 31, i / 31) & 0xffffff).isEqualTo(rgb[i]);
        }
    }

    @Test
    void shouldRefuseSizesThatMakeNoSense() {
        List<RunPlot> runs = List.of(RunSamples.wellKnown("run"));
        for (String[] args :
                List.of(
                        new String[] {"--width=100"},
                        new String[] {"--width=100000"},
                        new String[] {"--height=200"},
                        new String[] {"--density=9"},
                        new String[] {"--width=16000", "--height=16000"})) {
            assertThatThrownBy(() -> picture(runs, args))
                    .isInstanceOfSatisfying(
                            CliException.class,
                            failure -> {
                                assertThat(failure.exitStatus()).isEqualTo(2);
                                String option = args[0].substring(0, args[0].indexOf('='));
                                assertThat(failure).hasMessageStartingWith(option);
                            });
        }
    }

    @Test
    void shouldNeedNoDesktop() throws Exception {
        Path file = dir.resolve("picture.png");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "--limit-modules=java.base",
                                "-cp",
                                System.getProperty("java.class.path"),
                                NoDesktop.class.getName(),
                                file.toString())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(sum(ImageIO.read(file.toFile())))
                .isEqualTo(sum(picture(List.of(RunSamples.wellKnown("run")))));
    }

    /** Runs in a JVM that has only the base module. */
    static final class NoDesktop {
        public static void main(String[] args) throws IOException {
            if (ModuleLayer.boot().findModule("java.desktop").isPresent()) {
                throw new IllegalStateException("java.desktop is there");
            }
            try (OutputStream out = Files.newOutputStream(Path.of(args[0]))) {
                new PngWriter(new PictureOptions())
                        .write(List.of(RunSamples.wellKnown("run")), out);
            }
        }
    }
}
