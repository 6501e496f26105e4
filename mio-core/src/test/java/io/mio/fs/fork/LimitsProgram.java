package io.mio.fs.fork;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Does what the JDK itself refuses with any foreign default provider: docs/KnownLimits.md. */
public final class LimitsProgram {
    private LimitsProgram() {}

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        step("probeContentType", () -> Files.probeContentType(directory.resolve("a.txt")));
        step("UnixDomainSocketAddress.of", () -> UnixDomainSocketAddress.of("/tmp/s") != null);
        step(
                "ServerSocketChannel.bind(null)",
                () -> {
                    try (var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                        channel.bind(null);
                        var address = (UnixDomainSocketAddress) channel.getLocalAddress();
                        Files.deleteIfExists(address.getPath());
                        return true;
                    }
                });
    }

    private static void step(String name, java.util.concurrent.Callable<?> work) {
        Object result;
        try {
            result = work.call();
        } catch (Throwable e) {
            result = "throws " + e.getClass().getName();
        }
        System.out.println(name + ": " + result);
    }
}
