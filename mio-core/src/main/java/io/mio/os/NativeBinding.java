package io.mio.os;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.Map;

/**
 * The functions of {@code libmio_jvm.so}, bound through JNA's direct mapping. Only this class and
 * {@link NativeCalls} name JNA's types. Only {@link NativeHelper}, and code that runs where the
 * helper is available, names these two.
 *
 * <p>JNA normally unpacks its own library in its class initialiser, by code that needs the security
 * providers. When MIO is the default file system provider this can happen while those are being
 * initialised, so the library is unpacked here, and JNA is told where it is.
 */
final class NativeBinding {
    private static final String HELPER_NAME = "libmio_jvm.so";
    private static final String DISPATCH_NAME = "libjnidispatch.so";
    private static final String DISPATCH_PROPERTY = "jna.boot.library.path";

    /** Properties that JNA sets about itself, and never reads. */
    private static final String[] LEFT_PROPERTIES = {
        "jna.loaded", "jna.platform.library.path", "jnidispatch.path"
    };

    /** RTLD_NOW without RTLD_GLOBAL: the helper's names are for nobody else. */
    private static final int OPEN_FLAGS = 2;

    /** A name that only the preload library has. */
    private static final String PRELOAD_NAME = "mio_preload_version";

    private static final int ERROR_TEXT_BYTES = 256;

    /** Property with the encoding of names in the JDK's own file system. */
    private static final String NAME_ENCODING = "sun.jnu.encoding";

    private final NativeLibrary library;
    private final String source;

    private NativeBinding(NativeLibrary library, String source) {
        this.library = library;
        this.source = source;
    }

    /**
     * Opens the helper; only {@link #version()} may be called before {@link #bind()}.
     *
     * @param path file or directory; null for the helper in MIO's jar
     * @throws IOException if there is none, or it cannot be unpacked
     * @throws LinkageError if it, or JNA, cannot be loaded
     */
    static NativeBinding open(String path) throws IOException {
        boolean[] known = new boolean[LEFT_PROPERTIES.length];
        for (int i = 0; i < known.length; i++) {
            known[i] = System.getProperty(LEFT_PROPERTIES[i]) != null;
        }
        try {
            return load(path);
        } finally {
            for (int i = 0; i < known.length; i++) {
                if (!known[i]) {
                    System.clearProperty(LEFT_PROPERTIES[i]);
                }
            }
        }
    }

    /**
     * Fails if the program's log manager cannot be found yet. The initialiser of JNA's first class
     * starts {@code java.util.logging}, once and for all, and the program would be left without its
     * manager (jboss-modules has one in a module, and looks for it later).
     */
    private static void needLogManager() throws IOException {
        String manager = System.getProperty("java.util.logging.manager");
        if (manager == null
                || isFound(manager, ClassLoader.getSystemClassLoader())
                || isFound(manager, Thread.currentThread().getContextClassLoader())) {
            return;
        }
        throw new IOException(
                "JNA would start java.util.logging, whose manager "
                        + manager
                        + " is not to be found yet");
    }

    /** Looks for the class as {@code LogManager} does. */
    private static boolean isFound(String name, ClassLoader loader) {
        try {
            return loader != null && Class.forName(name, false, loader) != null;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private static NativeBinding load(String path) throws IOException {
        if (path != null && !path.isEmpty()) {
            File file = new File(path).getAbsoluteFile();
            if (file.isDirectory()) {
                file = new File(file, HELPER_NAME);
            }
            if (!file.isFile()) {
                throw new IOException("no file " + file + "; see mio.native.path");
            }
            startJna();
            return new NativeBinding(openLibrary(file), file.getPath());
        }
        startJna();
        String resource = "natives/" + HelperFile.machine() + "/" + HELPER_NAME;
        try (HelperFile helper =
                HelperFile.unpack(NativeBinding.class.getResourceAsStream(resource), HELPER_NAME)) {
            if (helper == null) {
                throw new IOException(
                        "MIO's jar has none for "
                                + HelperFile.machine()
                                + "; build MIO with a C compiler, or set mio.native.path");
            }
            return new NativeBinding(openLibrary(helper.file()), "MIO's jar: " + resource);
        }
    }

    /** Whether MIO's preload library is in this process, too; JNA has been started. */
    static boolean isBesidePreload() {
        try {
            NativeLibrary.getProcess().getGlobalVariableAddress(PRELOAD_NAME);
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    private static NativeLibrary openLibrary(File file) {
        Map<String, Object> options = new HashMap<>();
        options.put(Library.OPTION_OPEN_FLAGS, OPEN_FLAGS);
        // Needed to pass the channels that NativeCalls looks into.
        options.put(Library.OPTION_ALLOW_OBJECTS, true);
        return NativeLibrary.getInstance(file.getPath(), options);
    }

    /** Initialises JNA with a library unpacked here, unless the user chose one. */
    private static void startJna() throws IOException {
        needLogManager();
        if (System.getProperty(DISPATCH_PROPERTY) != null) {
            return;
        }
        // Naming the class does not initialise it.
        String resource = HelperFile.machine() + "/" + DISPATCH_NAME;
        try (HelperFile dispatch =
                HelperFile.unpack(Native.class.getResourceAsStream(resource), DISPATCH_NAME)) {
            if (dispatch == null) {
                return;
            }
            System.setProperty(DISPATCH_PROPERTY, dispatch.file().getParent());
            try {
                // Any call initialises the class, which loads the library.
                Native.getLastError();
            } finally {
                System.clearProperty(DISPATCH_PROPERTY);
            }
        }
    }

    /** The helper's version, for example {@code 0.1.0}. */
    String version() {
        return library.getFunction("mio_jvm_version").invokeString(new Object[0], false);
    }

    /** Where the helper comes from, for messages. */
    String source() {
        return source;
    }

    /** Binds the functions below, and those of {@link NativeCalls}. */
    void bind() {
        Native.register(NativeBinding.class, library);
        Native.register(NativeCalls.class, library);
    }

    /** See {@link NativeHelper#directLimits}. */
    DirectLimits directLimits(String path) throws IOException {
        int[] alignBytes = new int[2];
        int result = mio_jvm_direct_limits(nameBytes(path), alignBytes);
        if (result < 0) {
            throw new FileSystemException(path, null, errorText(-result));
        }
        return new DirectLimits(result > 0, alignBytes[0], alignBytes[1]);
    }

    /** See {@link NativeHelper#lookAt}. */
    FileFindings lookAt(String path) throws IOException {
        long[] numbers = new long[FileFindings.NUMBERS];
        int result = mio_jvm_info_file(nameBytes(path), numbers);
        if (result < 0) {
            throw new FileSystemException(path, null, errorText(-result));
        }
        return FileFindings.of(numbers);
    }

    /** As {@link NativeHelper#ringRefusal}. */
    static int ringRefusal() {
        long[] ring = new long[1];
        int result = NativeCalls.openRing(1, ring);
        if (result == 0) {
            NativeCalls.closeRing(ring[0]);
        }
        return Math.max(0, -result);
    }

    /** The system's words for an error number. */
    static String errorText(int errno) {
        byte[] text = new byte[ERROR_TEXT_BYTES];
        mio_jvm_error_text(errno, text, text.length);
        return Native.toString(text);
    }

    /** Encodes a name, NUL-terminated. */
    private static byte[] nameBytes(String path) throws FileSystemException {
        if (path.indexOf('\0') >= 0) {
            throw new FileSystemException(path.replace('\0', '?'), null, "NUL in a file name");
        }
        Charset charset = Charset.forName(System.getProperty(NAME_ENCODING, "UTF-8"));
        ByteBuffer name;
        try {
            name = charset.newEncoder().encode(CharBuffer.wrap(path));
        } catch (CharacterCodingException e) {
            FileSystemException failure =
                    new FileSystemException(
                            path, null, "no bytes for this name in " + charset + "; see LC_ALL");
            failure.initCause(e);
            throw failure;
        }
        byte[] terminated = new byte[name.remaining() + 1];
        name.get(terminated, 0, name.remaining());
        return terminated;
    }

    private static native int mio_jvm_direct_limits(byte[] path, int[] memAndOffsetAlignBytes);

    private static native int mio_jvm_info_file(byte[] path, long[] numbers);

    private static native void mio_jvm_error_text(int error, byte[] text, int textBytes);
}
