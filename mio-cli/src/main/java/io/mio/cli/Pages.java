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
 * Writes the files of the distribution that are made from the commands, so that they say what the
 * commands say: manual pages, completion, and the help of {@code mio run}, which is shown without a
 * JVM. The build runs this.
 */
final class Pages {
    /** Characters of the digest that are used: enough to tell builds apart. */
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
        // The launcher makes the archive for a JVM anew when the jar has changed.
        Files.writeString(lib.resolve("mio.key"), key(Path.of(args[1])) + "\n");
    }

    /** Writes the pages of a command and of its subcommands. */
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
