package io.mio.jmx;

import io.mio.Mio;
import io.mio.MioMXBean;
import io.mio.jfr.Watch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** Runs for {@link BeanForkTest}, and prints what the bean shows. */
final class BeanProgram {
    static final int PAGE_BYTES = 64 << 10;
    static final int PAGES = 32;

    private BeanProgram() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "values" -> values();
            case "own" -> {
                ManagementFactory.getPlatformMBeanServer();
                untilRegistered();
            }
            case "asked" -> untilRegistered();
            case "attached" -> {
                work().close();
                System.out.println(isRegistered());
                System.in.read();
                untilRegistered();
            }
            case "never" -> {
                ManagementFactory.getPlatformMBeanServer();
                AtomicInteger looks = new AtomicInteger();
                Watch.add(mayWait -> looks.addAndGet(mayWait ? 0 : 1));
                while (looks.get() < 3) {
                    work().close();
                }
                System.out.println(isRegistered());
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Writes a file and leaves it open; all pages but those in the cache are with the kernel. */
    private static FileChannel work() throws IOException {
        FileChannel channel =
                FileChannel.open(
                        Path.of(URI.create("mio://" + Path.of("bean.dat").toAbsolutePath())),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
        for (int i = 0; i < PAGES; i++) {
            channel.write(page.clear());
        }
        return channel;
    }

    private static void untilRegistered() throws Exception {
        try (FileChannel channel = work()) {
            ByteBuffer call = ByteBuffer.allocate(100);
            while (!isRegistered()) {
                channel.read(call.clear(), 0);
            }
        }
        System.out.println("registered");
        System.out.println(bean().getWrites());
    }

    private static boolean isRegistered() throws Exception {
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            if (server.isRegistered(name())) {
                return true;
            }
        }
        return false;
    }

    private static ObjectName name() throws Exception {
        return new ObjectName("io.mio:type=Mio");
    }

    private static MioMXBean bean() throws Exception {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(), name(), MioMXBean.class);
    }

    private static void values() throws Exception {
        Mio.registerMBean();
        Mio.registerMBean();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        MioMXBean bean = bean();
        ByteBuffer call = ByteBuffer.allocate(4096);
        FileChannel channel = work();
        channel.force(true);
        print("open", server);
        for (int i = 0; i < 3; i++) {
            channel.read(call.clear(), 0);
        }
        print("read", server);
        CompositeData[] files = (CompositeData[]) server.getAttribute(name(), "OpenFiles");
        for (CompositeData file : files) {
            System.out.println("file " + Path.of((String) file.get("path")).getFileName());
            for (String key :
                    List.of("layers", "reads", "bytesRead", "writes", "bytesWritten", "misses")) {
                System.out.println("file " + key + " " + file.get(key));
            }
        }
        System.out.println("file proxy " + bean.getOpenFiles().get(0).getReads());
        server.invoke(name(), "reset", null, null);
        print("reset", server);
        channel.read(call.clear(), 0);
        channel.write(call.clear(), 0);
        // These bytes are not with the kernel yet.
        System.out.println("dirty DirtyBytes " + bean.getDirtyBytes());
        AtomicReference<Object> dump = new AtomicReference<>();
        Thread other =
                new Thread(
                        () -> {
                            try {
                                dump.set(server.invoke(name(), "dump", null, null));
                            } catch (Exception e) {
                                dump.set(e);
                            }
                        });
        other.start();
        other.join();
        String text = String.valueOf(dump.get());
        System.out.println("dump " + text.lines().filter(l -> l.startsWith("Trace")).count());
        System.out.println("dump " + text.lines().filter(l -> l.contains("pf inter")).count());
        channel.close();
        print("closed", server);
    }

    private static void print(String when, MBeanServer server) throws Exception {
        for (String attribute :
                List.of(
                        "FilesOpen",
                        "FilesOpened",
                        "Reads",
                        "BytesRead",
                        "Writes",
                        "BytesWritten",
                        "PageWrites",
                        "PageBytesWritten",
                        "PageReads",
                        "DirtyBytes")) {
            System.out.println(
                    when + " " + attribute + " " + server.getAttribute(name(), attribute));
        }
        boolean timed = (long) server.getAttribute(name(), "WriteNanos") > 0;
        System.out.println(when + " timed " + timed);
    }
}
