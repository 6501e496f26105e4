package io.mio.os;

import io.mio.stats.MioVersion;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The helper library {@code libmio_jvm.so}, or the reason why there is none. MIO works without it.
 *
 * <p>It comes from MIO's own jar, or from {@code -Dmio.native.path=} (the file, or its directory).
 * It is refused where JNA is not on the class path, the jar has none for this kind of machine, the
 * system does not load it, or its version is not MIO's; and where MIO's preload library is in the
 * process. That one serves what goes through the C library, {@code java.io} included, and may have
 * pages of its own. The helper asks the kernel and would bypass those pages; the platform's
 * channels do not.
 *
 * <p>Nothing happens before {@link #load()}. Everything that touches JNA's types is in {@link
 * NativeBinding}, so this class links where JNA is absent.
 */
public final class NativeHelper {
    private static final AtomicBoolean started = new AtomicBoolean();
    private static volatile NativeHelper loaded;

    private final NativeBinding binding;
    private final String whyNot;

    private NativeHelper(NativeBinding binding, String whyNot) {
        this.binding = binding;
        this.whyNot = whyNot;
    }

    /**
     * Loads the helper at the first call; later calls return the same object. Never waits and never
     * throws: a call that comes while another one is loading (from another thread, or from a file
     * that loading opens) gets an object that is not available. Waiting could deadlock with a
     * program that is initialising JNA itself.
     */
    public static NativeHelper load() {
        NativeHelper helper = loaded;
        if (helper != null) {
            return helper;
        }
        if (!started.compareAndSet(false, true)) {
            helper = loaded;
            return helper != null ? helper : new NativeHelper(null, "it is being loaded");
        }
        helper = new NativeHelper(null, "it could not be loaded");
        try {
            helper = load(System.getProperty("mio.native.path"));
        } finally {
            loaded = helper;
        }
        return helper;
    }

    /**
     * As {@link #load()}, without remembering; {@code path} as in the property, null for the jar's.
     */
    static NativeHelper load(String path) {
        JnaCleaner cleaner = JnaCleaner.hold();
        try {
            NativeBinding binding = NativeBinding.open(path);
            String version = binding.version();
            if (!MioVersion.NUMBER.equals(version)) {
                return new NativeHelper(
                        null,
                        "the helper is of version "
                                + version
                                + ", MIO of "
                                + MioVersion.NUMBER
                                + "; build both together");
            }
            if (NativeBinding.isBesidePreload()) {
                return new NativeHelper(
                        null,
                        "MIO's preload library is there, and the helper's requests would pass it"
                                + " by");
            }
            binding.bind();
            return new NativeHelper(binding, null);
        } catch (NoClassDefFoundError e) {
            return new NativeHelper(null, missing(String.valueOf(e.getMessage())));
        } catch (VirtualMachineError e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            // JNA throws plain Error, too, when it finds a library of its own that does not fit.
            String message = e.getMessage();
            return new NativeHelper(null, message != null ? message : e.toString());
        } finally {
            cleaner.letGo();
        }
    }

    /** Says what to do about a missing class, given the words of the JVM. */
    private static String missing(String said) {
        if (said.startsWith("com/sun/jna/")) {
            return hasJna()
                    ? "this JNA is too old, it lacks " + said + "; MIO needs 4.5.0 or later"
                    : "JNA is missing; add jna.jar beside MIO's jar";
        }
        if (said.startsWith("java/util/logging/")) {
            return "JNA needs the module java.logging, which this runtime image is without";
        }
        return "JNA cannot be used: " + said;
    }

    private static boolean hasJna() {
        try {
            Class.forName("com.sun.jna.Native", false, NativeHelper.class.getClassLoader());
            return true;
        } catch (LinkageError e) {
            // The class was found, but not what it extends.
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Whether the helper is loaded and can be used; loads nothing. */
    static boolean isInUse() {
        NativeHelper helper = loaded;
        return helper != null && helper.isAvailable();
    }

    /** Whether the methods below can be used. */
    public boolean isAvailable() {
        return binding != null;
    }

    /** The reason, for a message; null if the helper is available. */
    public String whyNot() {
        return whyNot;
    }

    /**
     * The helper's version, equal to {@link MioVersion#NUMBER}.
     *
     * @throws IllegalStateException if the helper is not available
     */
    public String version() {
        return binding().version();
    }

    /**
     * Asks the file system for a file's direct I/O limits; symbolic links are followed.
     *
     * @param path as the platform's file system writes it
     * @throws java.nio.file.FileSystemException with the system's words, if the file cannot be
     *     looked up
     * @throws IllegalStateException if the helper is not available
     */
    public DirectLimits directLimits(String path) throws IOException {
        return binding().directLimits(path);
    }

    /** Where the helper was found: a file, or a name in MIO's jar; null if it is not available. */
    public String source() {
        return binding == null ? null : binding.source();
    }

    /**
     * Looks at a regular file, a block device or a directory; of anything else only the file system
     * is told. Opens the file and closes it again; the system then drops the POSIX locks that this
     * process has on it.
     *
     * @param path as the platform's file system writes it; links are followed
     * @throws java.nio.file.FileSystemException with the system's words, if the file cannot be
     *     looked up
     * @throws IllegalStateException if the helper is not available
     */
    public FileFindings lookAt(String path) throws IOException {
        return binding().lookAt(path);
    }

    /**
     * Asks the kernel for a ring and gives it back.
     *
     * @return 0, or the error number with which it refuses
     * @throws IllegalStateException if the helper is not available
     */
    public int ringRefusal() {
        binding();
        return NativeBinding.ringRefusal();
    }

    /**
     * The system's words for an error number.
     *
     * @throws IllegalStateException if the helper is not available
     */
    public String errorText(int errno) {
        binding();
        return NativeBinding.errorText(errno);
    }

    private NativeBinding binding() {
        if (binding == null) {
            throw new IllegalStateException("no native helper: " + whyNot);
        }
        return binding;
    }
}
