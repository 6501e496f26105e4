package io.mio.cli.plot.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.remote.service.DriverFinder;

/**
 * Finds a browser and its driver, or gets them.
 *
 * <p>It takes those that {@code MIO_TEST_BROWSER} and {@code MIO_TEST_DRIVER} name, else those on
 * the path. If one is missing and {@code CI} or {@code MIO_TEST_INSTALL} is set, {@code
 * install-browser.sh} installs them as packages of the system. If that is not possible, Selenium
 * downloads them to its cache, unless Maven is offline. {@code MIO_TEST_INSTALL=no} leaves out the
 * last two.
 */
final class BrowserFinder {
    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Path INSTALL = Path.of("src/test/tools/install-browser.sh");
    private static final long INSTALL_SECONDS = 180;

    private BrowserFinder() {}

    /** The paths of both programs. */
    record Found(Path browser, Path driver) {}

    /** Tells why there is no browser, in a sentence for the report of the tests. */
    static final class NotFoundException extends Exception {
        private static final long serialVersionUID = 1;

        NotFoundException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    static Found find() throws NotFoundException {
        Optional<Found> found = installed();
        String wish = System.getenv().getOrDefault("MIO_TEST_INSTALL", "");
        if (found.isPresent()) {
            return found.get();
        }
        if (wish.equals("no")) {
            throw new NotFoundException("no browser and driver on the path", null);
        }
        if (!wish.isEmpty() || System.getenv("CI") != null) {
            install();
            found = installed();
        }
        return found.isPresent() ? found.get() : downloaded();
    }

    private static Optional<Found> installed() {
        Optional<Path> browser = named("MIO_TEST_BROWSER");
        Optional<Path> driver = named("MIO_TEST_DRIVER");
        for (String name : BROWSERS) {
            if (browser.isEmpty()) {
                browser = onPath(name);
            }
        }
        if (driver.isEmpty()) {
            driver = onPath("chromedriver");
        }
        return browser.isPresent() && driver.isPresent()
                ? Optional.of(new Found(browser.get(), driver.get()))
                : Optional.empty();
    }

    private static Optional<Path> named(String variable) {
        return Optional.ofNullable(System.getenv(variable))
                .filter(value -> !value.isEmpty())
                .map(Path::of);
    }

    private static Optional<Path> onPath(String program) {
        for (String dir : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path file = Path.of(dir, program);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    private static void install() throws NotFoundException {
        try {
            Process process =
                    new ProcessBuilder("sh", INSTALL.toString(), Long.toString(INSTALL_SECONDS))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!process.waitFor(INSTALL_SECONDS + 30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new NotFoundException("no shell to install a browser with: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotFoundException("interrupted while a browser was installed", e);
        }
    }

    private static Found downloaded() throws NotFoundException {
        if (System.getProperty("mio.test.maven", "").equals("offline=true")) {
            throw new NotFoundException("no browser and driver on the path, and offline", null);
        }
        try {
            DriverFinder finder =
                    new DriverFinder(
                            ChromeDriverService.createDefaultService(), new ChromeOptions());
            return new Found(Path.of(finder.getBrowserPath()), Path.of(finder.getDriverPath()));
        } catch (WebDriverException e) {
            throw new NotFoundException(
                    "no browser and driver on the path, and none could be downloaded", e);
        }
    }
}
