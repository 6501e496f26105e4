package io.mio.stats;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What reports say about this process. Reads nothing through the default file system. */
public final class ProcessFacts {
    /** {@link System#nanoTime} when the library was first used; zero of all times in reports. */
    public static final long START_NANOS = System.nanoTime();

    private ProcessFacts() {}

    /** Begins the library's time, if nothing has yet; called before the first open. */
    public static void begin() {
        // The call initialises the class.
    }

    /** Nanoseconds from the library's start to {@code nanoTime}. */
    public static long sinceStart(long nanoTime) {
        return nanoTime - START_NANOS;
    }

    /** Main class or jar as the launcher was given it, without arguments: those may be secret. */
    public static String program() {
        String command = System.getProperty("sun.java.command", "");
        int end = command.indexOf(' ');
        String program = end < 0 ? command : command.substring(0, end);
        return program.isEmpty() ? "java" : program;
    }

    /** Last part of {@link #program}, fit for a file name. */
    static String programLeaf() {
        String program = program();
        return program.substring(program.lastIndexOf('/') + 1);
    }

    /** Name of the machine. */
    public static String host() {
        try (InputStream in = new FileInputStream("/proc/sys/kernel/hostname")) {
            String host = new String(in.readNBytes(256), StandardCharsets.UTF_8).trim();
            return host.isEmpty() ? "unknown" : host;
        } catch (IOException e) {
            String host = System.getenv("HOSTNAME");
            return host == null || host.isEmpty() ? "unknown" : host;
        }
    }

    /** Number of this process. */
    public static long pid() {
        return ProcessHandle.current().pid();
    }

    /** Expands {@code %p} process id, {@code %h} host, {@code %x} program, {@code %%} one %. */
    public static String expand(String name) {
        int percent = name.indexOf('%');
        if (percent < 0) {
            return name;
        }
        StringBuilder out = new StringBuilder();
        int i = 0;
        while (i < name.length()) {
            char c = name.charAt(i++);
            String value = c == '%' && i < name.length() ? placeholder(name.charAt(i)) : null;
            if (value == null) {
                out.append(c);
            } else {
                out.append(value);
                i++;
            }
        }
        return out.toString();
    }

    private static String placeholder(char letter) {
        return switch (letter) {
            case 'p' -> Long.toString(pid());
            case 'h' -> host();
            case 'x' -> programLeaf();
            case '%' -> "%";
            default -> null;
        };
    }
}
