package io.mio.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options {@code --name=value} of {@link Patterns}.
 *
 * @param requests bytes of a call
 * @param threads numbers of threads
 * @param cold whether runs with cold and with warm files are wanted
 * @param rules layers to compare with the platform's channels
 * @param fioDepth requests that fio has on their way; 0 without fio
 * @param fioBytes size of fio's requests
 * @param size bytes of the file
 * @param seconds time that a run takes, about
 * @param check whether every byte read is compared
 * @param dir where the files are made
 * @param csv file for every single run, or null
 */
record PatternOptions(
        List<AccessPattern> patterns,
        List<Integer> requests,
        List<Integer> threads,
        List<Boolean> cold,
        List<String> rules,
        int fioDepth,
        long fioBytes,
        long size,
        int rounds,
        double seconds,
        boolean check,
        Path dir,
        Path csv) {
    static final String HELP =
            """
            Usage: java -cp benchmarks.jar io.mio.benchmarks.Patterns [--NAME=VALUE ...]
              --patterns=LIST   of forward, backward, strided, random, rewrite, append (all)
              --requests=LIST   bytes per call (100,4k,64k,1m,8m)
              --threads=LIST    on one channel, each with its part of the file (1)
              --cache=LIST      the kernel's: cold, warm (cold)
              --rule=LAYERS     held against the JDK's channels; again for more
                                (pf/cache=100m/page=2m/direct, the same with pref=4, and without direct)
              --fio=DEPTH       fio too, for forward and rewrite; needs fio on the PATH (0: none)
              --fio-bs=SIZE     bytes of fio's requests (2m)
              --size=SIZE       of the file (1g)
              --rounds=N        (5)
              --seconds=S       for a run, about (1)
              --check           compares every byte read
              --dir=DIR         where the files are made (the directory for temporary files)
              --csv=FILE        every single run
            """;

    private static final long MOST_REQUEST_BYTES = 1 << 30;
    private static final int KIB_BITS = 10;

    /** Units of sizes; the index is the power of 1024. */
    private static final String UNITS = " kmgt";

    private static final Pattern BYTES = Pattern.compile("([1-9][0-9]{0,17})([kmgtKMGT]|)");

    /**
     * Reads the options.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    static PatternOptions of(String[] args) {
        String patterns = "forward,backward,strided,random,rewrite,append";
        String requests = "100,4k,64k,1m,8m";
        String threads = "1";
        String cache = "cold";
        List<String> rules = new ArrayList<>();
        String fio = "0";
        String fioBytes = "2m";
        String size = "1g";
        String rounds = "5";
        String seconds = "1";
        boolean check = false;
        String dir = System.getProperty("java.io.tmpdir");
        String csv = null;
        for (String arg : args) {
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            String value = arg.substring(equals + 1);
            switch (name) {
                case "--patterns" -> patterns = value;
                case "--requests" -> requests = value;
                case "--threads" -> threads = value;
                case "--cache" -> cache = value;
                case "--rule" -> rules.add(value);
                case "--fio" -> fio = value;
                case "--fio-bs" -> fioBytes = value;
                case "--size" -> size = value;
                case "--rounds" -> rounds = value;
                case "--seconds" -> seconds = value;
                case "--check" -> check = true;
                case "--dir" -> dir = value;
                case "--csv" -> csv = value;
                default -> throw new IllegalArgumentException("no option " + name);
            }
        }
        if (rules.isEmpty()) {
            rules.add("pf/cache=100m/page=2m/direct");
            rules.add("pf/cache=100m/page=2m/pref=4/direct");
            rules.add("pf/cache=100m/page=2m");
        }
        PatternOptions options =
                new PatternOptions(
                        split(patterns).map(PatternOptions::pattern).toList(),
                        split(requests).map(PatternOptions::requestBytes).toList(),
                        split(threads).map(text -> number("--threads", text, 1)).toList(),
                        split(cache).map(PatternOptions::isCold).toList(),
                        List.copyOf(rules),
                        number("--fio", fio, 0),
                        bytes("--fio-bs", fioBytes),
                        bytes("--size", size),
                        number("--rounds", rounds, 1),
                        seconds(seconds),
                        check,
                        directory("--dir", Path.of(dir)),
                        csv == null ? null : Path.of(csv));
        options.checkValues();
        return options;
    }

    private void checkValues() {
        for (int number : threads) {
            for (int request : requests) {
                if (size / number < request) {
                    throw new IllegalArgumentException(
                            "--size: less than one request of each thread");
                }
            }
        }
        if (csv != null) {
            directory("--csv", csv.toAbsolutePath().getParent());
        }
    }

    private static java.util.stream.Stream<String> split(String list) {
        return List.of(list.split(",")).stream();
    }

    private static AccessPattern pattern(String label) {
        for (AccessPattern pattern : AccessPattern.values()) {
            if (pattern.label().equals(label)) {
                return pattern;
            }
        }
        throw new IllegalArgumentException("--patterns: no pattern " + label);
    }

    private static boolean isCold(String word) {
        return switch (word) {
            case "cold" -> true;
            case "warm" -> false;
            default -> throw new IllegalArgumentException("--cache: cold or warm, not " + word);
        };
    }

    private static int requestBytes(String text) {
        long bytes = bytes("--requests", text);
        if (bytes > MOST_REQUEST_BYTES) {
            throw new IllegalArgumentException("--requests: from 1 to 1g bytes, not " + text);
        }
        return (int) bytes;
    }

    private static int number(String name, String text, int least) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                name + ": a number of at least " + least + ", not '" + text + "'");
    }

    private static double seconds(String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds > 0 && seconds < Double.POSITIVE_INFINITY) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("--seconds: as 1 or 0.2, not '" + text + "'");
    }

    private static Path directory(String name, Path dir) {
        if (!Files.isDirectory(dir)) {
            throw new IllegalArgumentException(name + ": " + dir + " is not a directory");
        }
        return dir;
    }

    /** Bytes of a size, which may end in k, m, g or t. */
    private static long bytes(String name, String text) {
        Matcher matcher = BYTES.matcher(text);
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            int unit = KIB_BITS * UNITS.indexOf(matcher.group(2).toLowerCase(Locale.ROOT));
            if (number <= Long.MAX_VALUE >> unit) {
                return number << unit;
            }
        }
        throw new IllegalArgumentException(name + ": bytes, as 100, 64k or 1g, not '" + text + "'");
    }

    /** The size in words, such as 4k or 100: the reverse of {@link #bytes}. */
    static String size(long bytes) {
        long number = bytes;
        int unit = 0;
        while (unit < UNITS.length() - 1 && number > 0 && number % (1 << KIB_BITS) == 0) {
            number >>= KIB_BITS;
            unit++;
        }
        return String.format(Locale.ROOT, "%d%s", number, UNITS.substring(unit, unit + 1).strip());
    }
}
