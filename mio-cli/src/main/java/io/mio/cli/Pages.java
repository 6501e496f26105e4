package io.mio.cli;

import io.mio.stats.MioVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Run by the build: writes what the distribution holds beside the jar and is made from the
 * commands, so that it says what they say: manual pages, completion, and the help of {@code mio
 * run}, which is shown without a JVM.
 */
final class Pages {
    /** First characters of the digest: enough to tell builds apart. */
    private static final int KEY_CHARACTERS = 16;

    private Pages() {}

    /**
     * @param args the directory to write into, and the runnable jar
     */
    public static void main(String[] args) throws IOException {
        Path dir = Path.of(args[0]);
        CommandLine mio = Main.commandLine();
        Path manual = Files.createDirectories(dir.resolve("man/man1"));
        writePages(manual, mio);
        Files.createDirectories(dir.resolve("completion"));
        Files.writeString(dir.resolve("completion/mio.bash"), AutoComplete.bash("mio", mio));
        Path lib = Files.createDirectories(dir.resolve("lib"));
        Files.writeString(
                lib.resolve("run.help"), mio.getSubcommands().get("run").getUsageMessage(Ansi.OFF));
        // What is kept for a JVM is made anew when the jar is another one.
        Files.writeString(lib.resolve("mio.key"), key(Path.of(args[1])) + "\n");
    }

    /** Of a command and of those below it. */
    private static void writePages(Path dir, CommandLine command) {
        writePage(dir, command);
        command.getSubcommands().values().forEach(below -> writePages(dir, below));
    }

    private static void writePage(Path dir, CommandLine command) {
        try {
            Files.writeString(
                    dir.resolve(ManPage.name(command) + ".1"),
                    ManPage.of(
                            command,
                            "mio " + MioVersion.NUMBER,
                            MioVersion.BUILT.substring(0, "2026-11-21".length())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String key(Path jar) throws IOException {
        try (InputStream file = Files.newInputStream(jar);
                DigestInputStream in =
                        new DigestInputStream(file, MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of()
                    .formatHex(in.getMessageDigest().digest())
                    .substring(0, KEY_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
