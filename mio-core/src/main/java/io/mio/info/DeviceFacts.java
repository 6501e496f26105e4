package io.mio.info;

import io.mio.info.Fact.Group;
import io.mio.info.Fact.Unit;
import java.util.List;

/** Finds the facts of a block device in {@code /sys/dev/block}. */
final class DeviceFacts {
    private static final long KB = 1024;

    private DeviceFacts() {}

    static void add(FactList facts, SystemFiles files, long major, long minor) {
        String link = "/sys/dev/block/" + major + ":" + minor;
        String dir = files.followed(link);
        facts.group(Group.DEVICE);
        if (dir == null) {
            facts.text(
                    "name",
                    "device",
                    null,
                    major == 0 ? "the file system has none" : "not seen in /sys/dev/block");
            return;
        }
        String name = leaf(dir);
        // A partition uses the queue of the whole device.
        String whole =
                files.exists(dir + "/partition") ? dir.substring(0, dir.lastIndexOf('/')) : dir;
        String queue = whole + "/queue/";
        Long rotational = files.number(queue + "rotational");
        Long scsiDepth = files.number(whole + "/device/queue_depth");
        Long depth = scsiDepth != null ? scsiDepth : files.number(queue + "nr_requests");
        facts.text("name", "device", name, about(files, dir, whole))
                .yesNo(
                        "rotational",
                        "rotational",
                        rotational == null ? null : rotational != 0,
                        rotational == null ? SystemFiles.UNTOLD : null)
                .number("queue_depth", "queue depth", Unit.COUNT, depth)
                .number(
                        "logical_block_bytes",
                        "sector",
                        Unit.BYTES,
                        files.number(queue + "logical_block_size"))
                .number(
                        "physical_block_bytes",
                        "physical sector",
                        Unit.BYTES,
                        files.number(queue + "physical_block_size"))
                .number(
                        "request_max_bytes",
                        "largest request",
                        Unit.BYTES,
                        kilobytes(files, queue + "max_sectors_kb"))
                .number(
                        "read_ahead_bytes",
                        "kernel's read-ahead",
                        Unit.BYTES,
                        kilobytes(files, queue + "read_ahead_kb"));
    }

    private static Long kilobytes(SystemFiles files, String path) {
        Long number = files.number(path);
        return number == null ? null : number * KB;
    }

    private static String leaf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String about(SystemFiles files, String dir, String whole) {
        String mapped = files.text(dir + "/dm/name");
        String backing = files.text(dir + "/loop/backing_file");
        List<String> slaves = files.names(dir + "/slaves");
        if (backing != null) {
            return "shows the file " + backing;
        }
        if (!dir.equals(whole)) {
            return "part of " + leaf(whole);
        }
        String on = slaves.isEmpty() ? null : "on " + String.join(", ", slaves);
        return mapped == null ? on : mapped + (on == null ? "" : ", " + on);
    }
}
