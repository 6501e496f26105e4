package io.mio.cli.bench;

import io.mio.config.LayerSpec;
import io.mio.config.PfOption;
import java.nio.file.Path;

/**
 * Checks files that several processes share, each with a cache of its own. Two of them must never
 * hold the same page, because the one that is written last would bring back what the other has
 * changed.
 */
final class SharedPages {
    private SharedPages() {}

    /**
     * Checks that parts of the file begin where pages of pf do.
     *
     * @throws IllegalArgumentException if not, with what to do
     */
    static void check(BenchOptions options, Path file, Point point) {
        if (!options.shared() || !options.processes() || !options.isWriting()) {
            return;
        }
        for (Configuration configuration : options.configurations()) {
            for (LayerSpec layer : configuration.layers(file)) {
                if (layer.isCache()) {
                    check(options, point, configuration, layer.number(PfOption.PAGE_SIZE));
                }
            }
        }
    }

    private static void check(
            BenchOptions options, Point point, Configuration configuration, long pageBytes) {
        for (int part = 1; part < options.threads(); part++) {
            long begin =
                    Sequence.share(point.fileRecords(), part, options.threads())
                            * point.recordBytes();
            if (begin % pageBytes != 0) {
                throw new IllegalArgumentException(
                        "--shared --processes: each process has a cache of its own, and "
                                + Sizes.text(begin)
                                + ", where a part of the file begins, is inside a page of "
                                + configuration.name()
                                + " ("
                                + Sizes.text(pageBytes)
                                + "): what one writes there the other would undo; take sizes with"
                                + " parts of whole pages, or threads, or a file for each");
            }
        }
    }
}
