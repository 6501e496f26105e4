package io.mio.fs.fork;

import io.mio.os.NativeHelper;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** The first file is used by a thread in a group of its own, with a loader and a thread local. */
final class OwnThreadProgram {
    private static final int BYTES = 4 << 20;
    private static final InheritableThreadLocal<Object> LOCAL = new InheritableThreadLocal<>();

    private OwnThreadProgram() {}

    /**
     * Says what is left of that thread when it has ended; a line for each thread that others began.
     */
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        ThreadGroup group = new ThreadGroup("app");
        WeakReference<Object> inherited = useIn(group, file);
        System.out.println("in the group: " + group.activeCount());
        System.out.println("helper: " + NativeHelper.load().isAvailable());
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            Thread thread = each.getKey();
            String name = thread.getName();
            if (name.startsWith("mio-") || name.startsWith("JNA")) {
                System.out.println(
                        name.replaceAll("-\\d+$", "")
                                + ": "
                                + thread.getThreadGroup().getName()
                                + ", "
                                + thread.getContextClassLoader()
                                + ", "
                                + thread.isDaemon());
            }
        }
        System.gc();
        while (inherited.get() != null) {
            Thread.onSpinWait();
            System.gc();
        }
        System.out.println("done");
    }

    private static WeakReference<Object> useIn(ThreadGroup group, Path file) throws Exception {
        Object[] local = {new Object()};
        WeakReference<Object> inherited = new WeakReference<>(local[0]);
        Throwable[] failure = new Throwable[1];
        Thread thread = new Thread(group, () -> use(file, local[0], failure), "user");
        try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
            thread.setContextClassLoader(loader);
            thread.start();
            thread.join();
        }
        if (failure[0] != null) {
            throw new AssertionError(failure[0]);
        }
        local[0] = null;
        return inherited;
    }

    private static void use(Path file, Object local, Throwable[] failure) {
        LOCAL.set(local);
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BYTES));
            ByteBuffer bytes = ByteBuffer.allocate(1000);
            for (long at = 0; at < BYTES; at += 1000) {
                channel.read(bytes.clear(), at);
            }
        } catch (Throwable e) {
            failure[0] = e;
        }
    }
}
