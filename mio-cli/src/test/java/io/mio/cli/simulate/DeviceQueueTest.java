package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceQueueTest {
    private static final long MS = 1_000_000;

    /** A device with a millisecond to the first byte, and a nanosecond for each byte. */
    private static DeviceQueue queue(int depth) {
        return new DeviceQueue(Devices.free(depth));
    }

    @Test
    void shouldTakeLatencyAndTheTimeOfTheBytes() {
        assertThat(queue(4).submit(500, 4096)).isEqualTo(500 + MS + 4096);
        assertThat(queue(4).submit(0, 0)).isEqualTo(MS);
    }

    @Test
    void shouldShareTheWireAndNotTheLatency() {
        DeviceQueue queue = queue(4);

        assertThat(queue.submit(0, 1000)).isEqualTo(MS + 1000);
        assertThat(queue.submit(0, 2000)).isEqualTo(MS + 3000);
        assertThat(queue.submit(2500, 10)).isEqualTo(MS + 3010);
        assertThat(queue.submit(MS, 10)).isEqualTo(2 * MS + 10);
    }

    @Test
    void shouldKeepWhatIsBeyondItsDepthWaiting() {
        DeviceQueue queue = queue(2);

        queue.submit(0, 1000);
        queue.submit(0, 1000);

        assertThat(queue.submit(0, 1000)).isEqualTo(MS + 1000 + MS + 1000);
        assertThat(queue.submit(0, 1000)).isEqualTo(MS + 2000 + MS + 1000);
    }

    @Test
    void shouldServeAThreadThatIsBehindInTheTimeThatWasFree() {
        DeviceQueue queue = queue(1);

        queue.submit(10 * MS, 1000);

        assertThat(queue.submit(0, 1000)).isEqualTo(MS + 1000);
        // The gap on the wire is 500 ns, which is too small.
        DeviceQueue wire = queue(8);
        wire.submit(0, 1000);
        wire.submit(1500, 1000);
        assertThat(wire.submit(0, 600)).isEqualTo(MS + 2500 + 600);
        assertThat(wire.submit(0, 500)).isEqualTo(MS + 1500);
    }

    @Test
    void shouldTakeTimeForEachRequest() {
        DeviceQueue queue = new DeviceQueue(Device.parse("latency=1ms,bandwidth=1g,iops=10000"));

        assertThat(queue.submit(0, 0)).isEqualTo(MS + 100_000);
        assertThat(queue.submit(0, 0)).isEqualTo(MS + 200_000);
    }

    @Test
    void shouldReadTheFiguresOfADevice() {
        Device device = Device.parse("latency=1.5ms,bandwidth=2g,depth=8,call=200ns,copy=4g");

        assertThat(device.latencyNanos()).isEqualTo(1_500_000);
        assertThat(device.bytesPerSecond()).isEqualTo(2L << 30);
        assertThat(device.depth()).isEqualTo(8);
        assertThat(device.callNanos(4L << 30)).isEqualTo(1_000_000_200L);
        assertThat(Device.parse("bandwidth=500m,latency=80us").depth()).isEqualTo(32);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latency=1ms | latency and bandwidth have to be there",
                "latency=1,bandwidth=1g | '1' is no time",
                "latency=-1ms,bandwidth=1g | '-1ms' is no time",
                "latency=1ms,bandwidth=fast | 'fast' is no size",
                "latency=1ms,bandwidth=1gb | '1gb' is no size",
                "latency=1ms,bandwidth=1g,depth=0 | '0' is no depth",
                "latency=1ms,bandwith=1g | 'bandwith=1g' is no figure of a device",
                "fast | 'fast' is no figure of a device",
            })
    void shouldSayWhatIsNoDevice(String text, String message) {
        assertThatThrownBy(() -> Device.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
