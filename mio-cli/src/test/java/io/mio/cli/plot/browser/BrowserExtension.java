package io.mio.cli.plot.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.openqa.selenium.SessionNotCreatedException;

/** Starts one browser for all test classes, which ends after them. */
final class BrowserExtension implements BeforeAllCallback, ParameterResolver {
    private static final ExtensionContext.Namespace PLACE =
            ExtensionContext.Namespace.create(BrowserExtension.class);

    /** The browser, or the reason why there is none. */
    private record Started(Browser browser, String reason) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            if (browser != null) {
                browser.close();
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Started started = started(context);
        Assumptions.assumeTrue(started.browser != null, started.reason);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Browser.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return started(context).browser;
    }

    private static Started started(ExtensionContext context) {
        return context.getRoot()
                .getStore(PLACE)
                .getOrComputeIfAbsent(Started.class, any -> start(), Started.class);
    }

    private static Started start() {
        try {
            return new Started(Browser.start(BrowserFinder.find()), "");
        } catch (BrowserFinder.NotFoundException e) {
            return new Started(null, e.getMessage());
        } catch (SessionNotCreatedException e) {
            // Browser and driver of different versions, mostly, which says nothing of the page.
            return new Started(null, "browser and driver do not work together: " + e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
