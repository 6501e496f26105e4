package io.mio.cli.plot.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless browser without a network: it cannot find any name. Errors of pages, and addresses
 * that pages ask for, are collected until a test takes them.
 */
final class Browser implements AutoCloseable {
    /** The time limit for whatever a page has to do before a test can go on. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Warns at each start that it does not know so new a browser; nothing here asks it for more.
     */
    private static final Logger DEVTOOLS = Logger.getLogger("org.openqa.selenium.devtools");

    static {
        DEVTOOLS.setLevel(Level.SEVERE);
    }

    private final ChromeDriver driver;
    private final Path profile;

    private Browser(ChromeDriver driver, Path profile) {
        this.driver = driver;
        this.profile = profile;
    }

    static Browser start(BrowserFinder.Found programs) throws IOException {
        Path profile = Files.createTempDirectory("mio-browser");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(programs.browser().toFile());
        options.addArguments(
                "--headless=new",
                "--user-data-dir=" + profile,
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--no-first-run",
                "--no-default-browser-check",
                "--force-color-profile=srgb",
                "--force-device-scale-factor=1",
                "--lang=en");
        if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            // Root cannot use the sandbox.
            options.addArguments("--no-sandbox");
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service =
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(programs.driver().toFile())
                        .usingAnyFreePort()
                        .withSilent(true)
                        .build();
        try {
            ChromeDriver driver = new ChromeDriver(service, options);
            driver.manage().timeouts().scriptTimeout(PATIENCE);
            return new Browser(driver, profile);
        } catch (RuntimeException e) {
            delete(profile);
            throw e;
        }
    }

    /** Opens a page in a new window of this size, CSS pixels; nothing of earlier pages is kept. */
    void open(Path page, String fragment, int width, int height) {
        driver.get("about:blank");
        command("Storage.clearDataForOrigin", Map.of("origin", "file://", "storageTypes", "all"));
        command("Emulation.setEmulatedMedia", Map.of("media", "", "features", List.of()));
        size(width, height);
        takeErrors();
        takeRequests();
        URI address = page.toUri();
        driver.get(fragment.isEmpty() ? address.toString() : address + "#" + fragment);
    }

    /** Gives the window another size. */
    void size(int width, int height) {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Runs a command of the browser's own protocol. */
    Map<String, Object> command(String name, Map<String, Object> parameters) {
        return driver.executeCdpCommand(name, parameters);
    }

    /** Returns what a script returns. */
    Object script(String body, Object... arguments) {
        return driver.executeScript(body, arguments);
    }

    /** Returns the value of an expression, which comes as a string of JSON. */
    JsonNode json(String expression, Object... arguments) {
        try {
            return JSON.readTree(
                    (String) script("return JSON.stringify(" + expression + ")", arguments));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until an expression is true; fails with its last value if it does not become so. */
    void await(String expression, Object... arguments) {
        Object answer =
                driver.executeAsyncScript(
                        "const done = arguments[arguments.length - 1];"
                                + "const limit = performance.now() + 20000;"
                                + "const args = arguments;"
                                + "(function look() {"
                                + "  let said;"
                                + "  try {"
                                + "    if ((function () { return ("
                                + expression
                                + "); })"
                                + "        .apply(null, args)) { return done('true'); }"
                                + "    said = 'false';"
                                + "  } catch (e) { said = String(e); }"
                                + "  if (performance.now() > limit) { return done(said); }"
                                + "  setTimeout(look, 15);"
                                + "})();",
                        arguments);
        if (!"true".equals(answer)) {
            throw new AssertionError("not within 20 s: " + expression + ": " + answer);
        }
    }

    /** Actions of mouse, wheel and keys. */
    Actions actions() {
        return new Actions(driver, Duration.ofMillis(20));
    }

    ChromeDriver driver() {
        return driver;
    }

    /** The warnings and errors that the console got since the last call. */
    List<String> takeErrors() {
        List<String> lines = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                lines.add(entry.getMessage());
            }
        }
        return lines;
    }

    /** The addresses asked for since the last call, without those inside the page itself. */
    List<String> takeRequests() {
        List<String> addresses = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            try {
                JsonNode message = JSON.readTree(entry.getMessage()).path("message");
                String method = message.path("method").asText();
                if (method.equals("Network.requestWillBeSent")) {
                    String address = message.at("/params/request/url").asText();
                    if (!address.startsWith("data:") && !address.startsWith("blob:")) {
                        addresses.add(address);
                    }
                } else if (method.equals("Network.webSocketCreated")) {
                    addresses.add(message.at("/params/url").asText());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return addresses;
    }

    @Override
    public void close() throws IOException {
        try {
            driver.quit();
        } finally {
            delete(profile);
        }
    }

    private static void delete(Path dir) throws IOException {
        try (Stream<Path> all = Files.walk(dir)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(one);
            }
        }
    }
}
