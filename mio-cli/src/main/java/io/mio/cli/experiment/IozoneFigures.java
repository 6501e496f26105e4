package io.mio.cli.experiment;

import io.mio.cli.bench.BenchTest;
import java.util.List;

/**
 * Rates of the document on IOzone and VxFS, in KB per second, by record.
 *
 * @param record size of the record in bytes
 */
record IozoneFigures(long record, double write, double rewrite, double read, double reread) {
    /** Mounted so that the cache is bypassed. */
    static final List<IozoneFigures> UNBUFFERED =
            List.of(
                    new IozoneFigures(1024, 24621, 26366, 118944, 93725),
                    new IozoneFigures(2048, 27745, 28133, 188716, 143879),
                    new IozoneFigures(4096, 29492, 30490, 288196, 197632),
                    new IozoneFigures(8192, 29652, 32169, 365224, 244488),
                    new IozoneFigures(16384, 31018, 32308, 530806, 356689),
                    new IozoneFigures(32768, 31656, 32185, 609541, 452181),
                    new IozoneFigures(65536, 32215, 32002, 685013, 476802),
                    new IozoneFigures(131072, 31415, 32774, 968679, 745218),
                    new IozoneFigures(262144, 34309, 32330, 72118, 72279),
                    new IozoneFigures(524288, 46738, 45923, 69042, 68967),
                    new IozoneFigures(1048576, 56810, 56571, 71982, 72107),
                    new IozoneFigures(2097152, 54601, 57228, 71824, 71649),
                    new IozoneFigures(4194304, 56809, 57552, 71796, 71676),
                    new IozoneFigures(8388608, 57110, 56946, 73474, 73356));

    /** Requests of 256 KB and more bypass the cache. */
    static final List<IozoneFigures> BUFFERED =
            List.of(
                    new IozoneFigures(1024, 24547, 26197, 118700, 100159),
                    new IozoneFigures(2048, 28126, 28825, 184472, 143337),
                    new IozoneFigures(4096, 29813, 31306, 282961, 197717),
                    new IozoneFigures(8192, 28468, 31310, 356838, 241249),
                    new IozoneFigures(16384, 30764, 32238, 530728, 405289),
                    new IozoneFigures(32768, 31840, 33020, 586725, 443542),
                    new IozoneFigures(65536, 31354, 32381, 632214, 460154),
                    new IozoneFigures(131072, 30595, 32134, 914693, 653908),
                    new IozoneFigures(262144, 34168, 34363, 71450, 71027),
                    new IozoneFigures(524288, 46742, 47112, 73134, 73217),
                    new IozoneFigures(1048576, 56030, 56181, 68667, 69070),
                    new IozoneFigures(2097152, 51514, 56859, 71072, 72920),
                    new IozoneFigures(4194304, 56617, 56369, 71471, 71687),
                    new IozoneFigures(8388608, 57285, 57407, 72622, 72052));

    /** Requests of 64 KB and more bypass the cache. */
    static final List<IozoneFigures> AT_64K =
            List.of(
                    new IozoneFigures(1024, 22902, 25791, 109221, 99689),
                    new IozoneFigures(2048, 28272, 29991, 190783, 165679),
                    new IozoneFigures(4096, 29492, 30841, 256590, 184018),
                    new IozoneFigures(8192, 30032, 32689, 373101, 244276),
                    new IozoneFigures(16384, 31285, 32507, 547644, 408800),
                    new IozoneFigures(32768, 31902, 32970, 587081, 438127),
                    new IozoneFigures(65536, 12932, 12971, 67447, 68627),
                    new IozoneFigures(131072, 21663, 22275, 69985, 71320),
                    new IozoneFigures(262144, 34095, 34229, 73355, 73576),
                    new IozoneFigures(524288, 46473, 46725, 68156, 73282),
                    new IozoneFigures(1048576, 53821, 57395, 73090, 73071),
                    new IozoneFigures(2097152, 57067, 55699, 69962, 72602),
                    new IozoneFigures(4194304, 52457, 57009, 74144, 74210),
                    new IozoneFigures(8388608, 56516, 57207, 73154, 73010));

    private double rate(BenchTest test) {
        return switch (test) {
            case WRITE -> write;
            case REWRITE -> rewrite;
            case READ -> read;
            case REREAD -> reread;
            default -> throw new IllegalArgumentException(test.id());
        };
    }

    /** Returns a rate; null if the document has none. */
    static Double of(List<IozoneFigures> table, long record, BenchTest test) {
        for (IozoneFigures row : table) {
            if (row.record == record) {
                return row.rate(test);
            }
        }
        return null;
    }
}
