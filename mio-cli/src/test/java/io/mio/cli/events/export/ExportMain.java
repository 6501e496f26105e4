package io.mio.cli.events.export;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Exports in a JVM of its own. Arguments: form, events file, output. */
final class ExportMain {
    private static final Map<String, Events.Maker> FORMS =
            Map.of(
                    "perfetto", PerfettoExport::new,
                    "chrome", ChromeExport::new,
                    "fio", FioIologExport::new);

    private ExportMain() {}

    public static void main(String[] args) throws Exception {
        try (OutputStream out =
                new BufferedOutputStream(Files.newOutputStream(Path.of(args[2])), 1 << 16)) {
            Events.export(Path.of(args[1]), FORMS.get(args[0]), out);
        }
    }
}
