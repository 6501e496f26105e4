package io.mio.info;

import io.mio.os.FileFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of a made-up kernel, and a helper that answers as a test tells it. */
final class FakeSystem implements Helper {
    private final Path root;
    private String whyNot;
    private int refusal;
    private FileFindings findings = new FileFindings(0, 4, 512, 8192, 4096, 3);

    FakeSystem(Path root) {
        this.root = root;
    }

    FakeSystem file(String path, String... lines) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
        return this;
    }

    FakeSystem without(String why) {
        whyNot = why;
        return this;
    }

    FakeSystem refusing(int errno) {
        refusal = errno;
        return this;
    }

    FakeSystem finding(FileFindings found) {
        findings = found;
        return this;
    }

    SystemFiles files() {
        return new SystemFiles(root.toFile());
    }

    /** Returns the value of a fact, or its note in brackets. */
    static String told(List<Fact> facts, String name) {
        Fact fact =
                facts.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
        if (fact == null) {
            return "no fact";
        }
        return fact.value() + (fact.note() == null ? "" : " (" + fact.note() + ")");
    }

    @Override
    public String whyNot() {
        return whyNot;
    }

    @Override
    public String source() {
        return whyNot == null ? "a test" : null;
    }

    @Override
    public int ringRefusal() {
        return refusal;
    }

    @Override
    public String errorText(int errno) {
        return "error " + errno;
    }

    @Override
    public FileFindings lookAt(String path) {
        return findings;
    }
}
