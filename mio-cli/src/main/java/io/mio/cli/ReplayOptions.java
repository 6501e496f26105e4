package io.mio.cli;

import io.mio.cli.simulate.Device;
import io.mio.cli.term.Choice;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/**
 * Options of commands that play a recorded run with other rules: which files, over which device.
 */
final class ReplayOptions {
    @Option(
            names = {"--file", "--files"},
            paramLabel = "GLOB",
            description =
                    "Only files that fit, as in rules: '*.dat', '/scratch/**'. May be repeated.")
    List<String> files = List.of();

    @Option(
            names = "--device",
            paramLabel = "FIGURES",
            converter = DeviceConverter.class,
            description =
                    "The device in figures: latency=1ms,bandwidth=2g,depth=32: time to the first"
                        + " byte, bytes a second, requests at the same time; also iops=50000, the"
                        + " most requests a second.")
    Device device;

    @Option(
            names = "--measure",
            paramLabel = "FILE",
            description = "Measures the device with direct reads of FILE, in under two seconds.")
    String measured;

    /** Refuses options that exclude each other. */
    void check(CommandLine line) {
        if (device != null && measured != null) {
            throw new CommandLine.ParameterException(
                    line, "--device and --measure exclude each other");
        }
    }

    /** Converts the figures of a device. */
    static final class DeviceConverter implements ITypeConverter<Device> {
        @Override
        public Device convert(String text) {
            try {
                return Device.parse(text);
            } catch (IllegalArgumentException e) {
                throw Choice.refused(e.getMessage(), e);
            }
        }
    }
}
