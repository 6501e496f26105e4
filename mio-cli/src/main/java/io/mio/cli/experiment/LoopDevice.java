package io.mio.cli.experiment;

import io.mio.cli.bench.Cleanup;
import java.io.IOException;
import java.nio.file.Path;

/** A block device whose blocks are those of a file, with direct I/O to the file; needs root. */
final class LoopDevice {
    private final Path device;

    private LoopDevice(Path device) {
        this.device = device;
    }

    /**
     * Makes a device, which is removed at the end.
     *
     * @param file file with all its blocks
     * @throws SkippedException if that is not allowed here, or the device would cache what the file
     *     has; the message says why
     */
    static LoopDevice over(Scope scope, Path file) throws IOException, InterruptedException {
        Path[] made = new Path[1];
        Cleanup.Action removing =
                () -> {
                    if (made[0] != null) {
                        Command.undo("losetup", "-d", made[0].toString());
                    }
                };
        try {
            scope.begin(
                    () ->
                            made[0] =
                                    Path.of(
                                            Command.run(
                                                    "losetup",
                                                    "--find",
                                                    "--show",
                                                    "--direct-io=on",
                                                    file.toString())),
                    removing);
        } catch (IOException e) {
            throw skipped(e.getMessage());
        }
        String direct = Command.run("losetup", "-n", "-O", "DIO", made[0].toString()).strip();
        if (!"1".equals(direct)) {
            throw skipped("the loop device has no direct I/O to " + file);
        }
        return new LoopDevice(made[0]);
    }

    private static SkippedException skipped(String why) {
        return new SkippedException("no block device: " + why + "; root may make one");
    }

    Path device() {
        return device;
    }
}
