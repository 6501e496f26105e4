package io.mio.fs.fork;

import io.mio.os.NativeHelper;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;

/**
 * Uses the first file in a thread with a group of its own, by code of a class loader of its own,
 * and with a thread local.
 */
final class OwnThreadProgram {
    private static final int BYTES = 4 << 20;
    private static final InheritableThreadLocal<Object> LOCAL = new InheritableThreadLocal<>();

    private OwnThreadProgram() {}

    /**
     * Prints what is left of that thread after its end, with a line for each thread of MIO or JNA.
     */
    public static void main(String[] arguments) throws Exception {
        ThreadGroup group = new ThreadGroup("app");
        WeakReference<?>[] left = useIn(group, arguments[0]);
        boolean helped = NativeHelper.load().isAvailable();
        System.out.println("in the group: " + group.activeCount());
        System.out.println("helper: " + helped);
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName();
            if (name.startsWith("mio-") || name.startsWith("JNA")) {
                System.out.println(
                        name.replaceAll("-\\d+$", "")
                                + ": "
                                + thread.getThreadGroup()
                                + ", "
                                + thread.getContextClassLoader()
                                + ", "
                                + thread.isDaemon());
            }
        }
        until(left[0]);
        if (!helped) {
            // JNA starts a process, for which JDK 17 has a thread that keeps the loader a minute.
            until(left[1]);
        }
        System.out.println("done");
    }

    private static void until(WeakReference<?> collected) {
        System.gc();
        while (collected.get() != null) {
            Thread.onSpinWait();
            System.gc();
        }
    }

    /** Returns what the thread passes on to others, and its loader. */
    private static WeakReference<?>[] useIn(ThreadGroup group, String file) throws Exception {
        URL here = OwnThreadProgram.class.getProtectionDomain().getCodeSource().getLocation();
        Object[] local = {new Object()};
        Throwable[] failure = new Throwable[1];
        ClassLoader loader = new URLClassLoader(new URL[] {here}, null);
        Callable<?> user =
                Class.forName(User.class.getName(), true, loader)
                        .asSubclass(Callable.class)
                        .getConstructor(String.class)
                        .newInstance(file);
        WeakReference<?>[] left = {new WeakReference<>(local[0]), new WeakReference<>(loader)};
        Thread thread =
                new Thread(
                        group,
                        () -> {
                            LOCAL.set(local[0]);
                            try {
                                user.call();
                            } catch (Throwable e) {
                                failure[0] = e;
                            }
                        },
                        "user");
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        if (failure[0] != null) {
            throw new AssertionError(failure[0]);
        }
        local[0] = null;
        return left;
    }

    /** Is loaded by another loader, which sees only the JDK beside this class. */
    public static final class User implements Callable<Object> {
        private final String file;

        /** Uses {@code file}. */
        public User(String file) {
            this.file = file;
        }

        @Override
        public Object call() throws Exception {
            try (FileChannel channel =
                    FileChannel.open(
                            Path.of(file),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(BYTES));
                ByteBuffer bytes = ByteBuffer.allocate(1000);
                for (long at = 0; at < BYTES; at += 1000) {
                    channel.read(bytes.clear(), at);
                }
            }
            return null;
        }
    }
}
