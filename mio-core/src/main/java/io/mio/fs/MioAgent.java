package io.mio.fs;

/**
 * Does nothing: {@code -javaagent:mio-core.jar} puts this jar on the system class path. There
 * {@code java -jar app.jar}, which ignores {@code -cp}, finds the provider.
 */
public final class MioAgent {
    private MioAgent() {}

    /** Called by the JVM before the program; there is nothing to prepare. */
    public static void premain(String arguments) {}
}
