package io.mio.cli.plot;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Short names of runs in pictures, all of them different. */
public final class Labels {
    private Labels() {}

    /**
     * Returns the names of the files. Where several are the same, they get as many directories as
     * tell them apart; a file that is given twice gets numbers.
     */
    public static List<String> of(List<Path> inputs) {
        List<String> labels = new ArrayList<>();
        for (Path input : inputs) {
            labels.add(label(input, inputs));
        }
        List<String> numbered = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            String label = labels.get(i);
            boolean alone = labels.stream().filter(label::equals).count() == 1;
            long number = labels.subList(0, i + 1).stream().filter(label::equals).count();
            numbered.add(alone ? label : free(label, number, labels));
        }
        return numbered;
    }

    private static String free(String label, long number, List<String> labels) {
        String made = label + " (" + number + ")";
        while (new HashSet<>(labels).contains(made)) {
            made += "'";
        }
        return made;
    }

    private static String label(Path input, List<Path> inputs) {
        Path whole = whole(input);
        for (int names = 1; names <= whole.getNameCount(); names++) {
            Path last = last(whole, names);
            boolean alone =
                    inputs.stream()
                            .map(Labels::whole)
                            .filter(other -> !other.equals(whole))
                            .noneMatch(other -> other.endsWith(last));
            if (alone) {
                return last.toString();
            }
        }
        return input.toString();
    }

    private static Path whole(Path input) {
        return input.toAbsolutePath().normalize();
    }

    private static Path last(Path path, int names) {
        int count = path.getNameCount();
        return path.subpath(count - names, count);
    }
}
