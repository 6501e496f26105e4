package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.term.CliException;
import org.junit.jupiter.api.Test;

class DeviceTest {
    @Test
    void shouldReadAsciiLettersAloneAsUnits() {
        assertThat(Device.parse("latency=1ms,bandwidth=1K").bytesPerSecond()).isEqualTo(1024);
        assertThatThrownBy(() -> Device.parse("latency=1ms,bandwidth=1\u212a"))
                .hasMessageContaining("is no size for a second");
    }

    @Test
    void shouldTakeForASingleSmallRequestWhatWasMeasuredOfOne() {
        Device device = Device.parse("latency=1ms,bandwidth=1g,iops=100000").answeringAfter(40_000);

        assertThat(device.answerNanos()).isEqualTo(40_000);
        assertThat(new DeviceQueue(device).submit(0, Device.SMALL)).isEqualTo(40_000);
        assertThat(device.latencyNanos()).isBetween(20_000L, 29_999L);
    }

    @Test
    void shouldHaveNoLatencyWhereManyRequestsTakeAsLongAsOne() {
        Device device = Device.parse("latency=1ms,bandwidth=1g,iops=10000").answeringAfter(40_000);

        assertThat(device.latencyNanos()).isZero();
    }

    @Test
    void shouldNotMeasureWithAFileOfNoName() {
        assertThatThrownBy(() -> DeviceMeasure.of(""))
                .isInstanceOf(CliException.class)
                .hasMessage("'' is no name of a file");
    }
}
