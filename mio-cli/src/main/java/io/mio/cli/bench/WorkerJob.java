package io.mio.cli.bench;

import java.util.HashMap;
import java.util.Map;

/**
 * One measurement of one worker, and the line that asks for it. Twin of {@code struct bench_job}.
 *
 * @param recordBytes at least 1, at most 1 GiB
 * @param fileRecords records of each file, at least 1
 * @param threads threads of all workers together
 * @param first number of the first thread of this worker, from 0
 * @param count threads of this worker
 * @param stride stride of a strided test, in records
 * @param mixPercent reads of a mixed test, in percent
 * @param generation generation that is written with the content: 1 to 255
 * @param known generation of all that the files hold; 0 if it is what this worker left
 * @param direct whether I/O bypasses the kernel's page cache
 * @param flush whether to flush to the device before the time is taken
 * @param close whether to close before the time is taken
 * @param verify whether content is checked
 */
record WorkerJob(
        BenchTest test,
        int recordBytes,
        long fileRecords,
        int threads,
        int first,
        int count,
        long stride,
        long seed,
        int mixPercent,
        int generation,
        int known,
        boolean direct,
        boolean flush,
        boolean close,
        boolean verify) {
    private static final int RECORD_BYTES_MAX = 1 << 30;
    private static final int THREADS_MAX = 65536;

    /** Returns the same job for the worker whose first thread has that number. */
    WorkerJob from(int thread) {
        return new WorkerJob(
                test,
                recordBytes,
                fileRecords,
                threads,
                thread,
                count,
                stride,
                seed,
                mixPercent,
                generation,
                known,
                direct,
                flush,
                close,
                verify);
    }

    /** Returns words {@code key=value} with blanks between them. */
    String toLine() {
        return "test="
                + test.id()
                + " record_bytes="
                + recordBytes
                + " file_records="
                + fileRecords
                + " threads="
                + threads
                + " first="
                + first
                + " count="
                + count
                + " stride="
                + stride
                + " seed="
                + seed
                + " mix_percent="
                + mixPercent
                + " generation="
                + generation
                + " known="
                + known
                + " direct="
                + number(direct)
                + " flush="
                + number(flush)
                + " close="
                + number(close)
                + " verify="
                + number(verify);
    }

    private static int number(boolean yes) {
        return yes ? 1 : 0;
    }

    /**
     * Reads what {@link #toLine} has written.
     *
     * @throws IllegalArgumentException if a word is missing, unknown or out of its bounds; the
     *     message is the word
     */
    static WorkerJob ofLine(String line) {
        Words values = Words.of(line);
        BenchTest test = BenchTest.of(values.text("test"));
        if (test == null) {
            throw new IllegalArgumentException("test");
        }
        WorkerJob job =
                new WorkerJob(
                        test,
                        (int) values.number("record_bytes", 1, RECORD_BYTES_MAX),
                        values.number("file_records", 1, Long.MAX_VALUE),
                        (int) values.number("threads", 1, THREADS_MAX),
                        (int) values.number("first", 0, THREADS_MAX - 1),
                        (int) values.number("count", 1, THREADS_MAX),
                        values.number("stride", 1, Long.MAX_VALUE),
                        values.number("seed", 0, Long.MAX_VALUE),
                        (int) values.number("mix_percent", 0, 100),
                        (int) values.number("generation", 1, 255),
                        (int) values.number("known", 0, 255),
                        values.number("direct", 0, 1) == 1,
                        values.number("flush", 0, 1) == 1,
                        values.number("close", 0, 1) == 1,
                        values.number("verify", 0, 1) == 1);
        values.checkAllTaken();
        if (job.first + job.count > job.threads) {
            throw new IllegalArgumentException("count");
        }
        if (job.fileRecords > Long.MAX_VALUE / job.recordBytes) {
            throw new IllegalArgumentException("file_records");
        }
        return job;
    }

    /** The words of a line: each key once, and no unknown ones. */
    private record Words(Map<String, String> values) {
        static Words of(String line) {
            Map<String, String> values = new HashMap<>();
            for (String word : line.split(" ")) {
                if (word.isEmpty()) {
                    continue;
                }
                int at = word.indexOf('=');
                if (at < 0) {
                    throw new IllegalArgumentException(word);
                }
                String key = word.substring(0, at);
                if (values.put(key, word.substring(at + 1)) != null) {
                    throw new IllegalArgumentException(key + " twice");
                }
            }
            return new Words(values);
        }

        String text(String key) {
            String text = values.remove(key);
            if (text == null) {
                throw new IllegalArgumentException(key);
            }
            return text;
        }

        long number(String key, long least, long most) {
            String text = text(key);
            long number;
            try {
                number = text.matches("[0-9]+") ? Long.parseLong(text) : -1;
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(key, e);
            }
            if (number < least || number > most) {
                throw new IllegalArgumentException(key);
            }
            return number;
        }

        void checkAllTaken() {
            if (!values.isEmpty()) {
                throw new IllegalArgumentException(values.keySet().iterator().next());
            }
        }
    }
}
