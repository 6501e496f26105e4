package io.mio.cli.experiment;

import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.CliException;
import io.mio.cli.term.OutputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The directory of results. What was written stays there even if the next experiment fails. */
final class ResultFiles {
    private final Path dir;

    /**
     * Checks the directory, before an hour of work.
     *
     * @throws CliException if nothing can be written there
     */
    ResultFiles(Path dir) {
        this.dir = dir;
        try {
            Files.createDirectories(dir);
        } catch (IOException e) {
            throw new CliException("-o: " + dir + ": " + OutputFile.reason(e));
        }
        if (!Files.isWritable(dir)) {
            throw new CliException("-o: " + dir + " is not writable; name another directory");
        }
    }

    /**
     * Writes all files of a result, in place of those of the last time.
     *
     * @return their names
     */
    List<String> write(Finished finished) throws IOException {
        List<String> names = new ArrayList<>();
        for (Chart chart : finished.result().charts()) {
            List<String> facts = new ArrayList<>();
            facts.add(finished.command());
            facts.add(finished.facts().get("Machine") + "; " + finished.facts().get("Storage"));
            facts.add("Medians, with the least and the most of the runs.");
            LineChart drawn = new LineChart(chart.title(), facts, chart.plots(), chart.below());
            write(names, finished.fileName(chart.id(), "svg"), drawn::svg);
            write(names, finished.fileName(chart.id(), "png"), drawn::png);
        }
        finished.result()
                .reports()
                .forEach((name, text) -> write(names, finished.fileName(name, "stats"), text));
        ResultData data = new ResultData(finished);
        write(names, finished.fileName("", "json"), data.json());
        write(names, finished.fileName("", "csv"), data.csv());
        write(names, finished.fileName("", "md"), new ResultText(finished).markdown());
        return names;
    }

    private void write(List<String> names, String name, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(names, name, out -> out.write(bytes));
    }

    private void write(List<String> names, String name, OutputFile.Content content) {
        OutputFile.write(dir.resolve(name), content);
        names.add(name);
    }
}
