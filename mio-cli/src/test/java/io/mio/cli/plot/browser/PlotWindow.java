package io.mio.cli.plot.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.interactions.WheelInput;

/**
 * A page of {@code mio plot} in the browser: what a user does with it, and what it shows. Each
 * action ends when the picture is finished. Times are in nanoseconds since time zero; with several
 * runs, since the first event of each run.
 */
final class PlotWindow {
    static final String PROGRAM = "activity-program";
    static final String SYSTEM = "activity-system";

    /** A place in the window, in CSS pixels. */
    record Place(int x, int y) {
        Place plus(int dx, int dy) {
            return new Place(x + dx, y + dy);
        }
    }

    /** The times and offsets that a column shows. */
    record Window(double t0, double t1, double o0, double o1) {
        double nanos() {
            return t1 - t0;
        }

        double bytes() {
            return o1 - o0;
        }
    }

    private final Browser browser;

    private PlotWindow(Browser browser) {
        this.browser = browser;
    }

    /** Opens a page in a window of 1200 by 900. */
    static PlotWindow open(Browser browser, Path page) {
        return open(browser, page, "", 1200, 900);
    }

    static PlotWindow open(Browser browser, Path page, String fragment, int width, int height) {
        browser.open(page, fragment, width, height);
        PlotWindow window = new PlotWindow(browser);
        window.settle();
        return window;
    }

    /** Waits until the picture is finished. */
    void settle() {
        browser.await(
                "window.mioPlot && (function (now) { return now.ready && now.loaded && !now.busy;"
                        + " })(window.mioPlot.state())");
    }

    JsonNode state() {
        return browser.json("window.mioPlot.state()");
    }

    Window window() {
        return window(0);
    }

    Window window(int column) {
        JsonNode view = state().path("windows").path(column);
        return new Window(
                view.path("from").asDouble(),
                view.path("to").asDouble(),
                view.path("offsetFrom").asDouble(),
                view.path("offsetTo").asDouble());
    }

    /** The state of a panel of the first column. */
    JsonNode panel(String name) {
        return panel(name, 0);
    }

    JsonNode panel(String name, int column) {
        for (JsonNode panel : state().path("panels")) {
            if (panel.path("panel").asText().equals(name)
                    && panel.path("column").asInt() == column) {
                return panel;
            }
        }
        throw new AssertionError("no panel " + name + " in " + state());
    }

    int marks(String panel) {
        return panel(panel).path("marks").asInt();
    }

    boolean isOpen(String panel) {
        return panel(panel).path("open").asBoolean();
    }

    /** The names of the panels of the first column. */
    List<String> panels() {
        List<String> names = new ArrayList<>();
        for (JsonNode panel : state().path("panels")) {
            if (panel.path("column").asInt() == 0) {
                names.add(panel.path("panel").asText());
            }
        }
        return names;
    }

    /** The place where a panel shows a time and an offset; scrolls the panel into view. */
    Place place(String panel, double nanos, double offset) {
        browser.script(
                "document.querySelector(arguments[0]).scrollIntoView({block: 'center'})",
                "section.panel[data-panel='" + panel + "']");
        JsonNode at =
                browser.json(
                        "window.mioPlot.pixel(arguments[0], arguments[1], arguments[2])",
                        panel,
                        nanos,
                        offset);
        return new Place(
                (int) Math.round(at.path("x").asDouble()),
                (int) Math.round(at.path("y").asDouble()));
    }

    WebElement find(String selector) {
        return browser.driver().findElement(By.cssSelector(selector));
    }

    List<WebElement> findAll(String selector) {
        return browser.driver().findElements(By.cssSelector(selector));
    }

    String text(String selector) {
        return (String)
                browser.script("return document.querySelector(arguments[0]).textContent", selector);
    }

    void click(String selector) {
        find(selector).click();
        settle();
    }

    /** Presses a button of the toolbar. */
    void press(String action) {
        click("#toolbar [data-action='" + action + "']");
    }

    void keys(CharSequence... keys) {
        browser.actions().sendKeys(keys).perform();
        settle();
    }

    /** Drags from one place to another; {@code held} is a key that is held, or null. */
    void drag(Place from, Place to, Keys held) {
        Actions actions = browser.actions();
        actions.moveToLocation(from.x, from.y);
        if (held != null) {
            actions.keyDown(held);
        }
        actions.clickAndHold();
        actions.moveToLocation((from.x + to.x) / 2, (from.y + to.y) / 2);
        actions.moveToLocation(to.x, to.y);
        actions.release();
        if (held != null) {
            actions.keyUp(held);
        }
        actions.perform();
        settle();
    }

    /** Turns the wheel; above 0 is towards the user. */
    void wheel(Place at, int pixels, Keys held) {
        Actions actions = browser.actions();
        if (held != null) {
            actions.keyDown(held);
        }
        actions.scrollFromOrigin(WheelInput.ScrollOrigin.fromViewport(at.x, at.y), 0, pixels);
        if (held != null) {
            actions.keyUp(held);
        }
        actions.perform();
        settle();
    }

    void point(Place at) {
        browser.actions().moveToLocation(at.x, at.y).perform();
        settle();
    }

    /**
     * The number of pixels of a panel's canvases that have a colour, {@code #rrggbb}, give or take
     * the blur of edges.
     */
    long pixels(String panel, String colour) {
        return ((Number)
                        browser.script(
                                "const wanted = [1, 3, 5].map((at) =>"
                                        + " parseInt(arguments[1].substr(at, 2), 16));"
                                        + "let count = 0;"
                                        + "document.querySelectorAll(arguments[0])"
                                        + ".forEach((canvas) => {"
                                        + "  if (canvas.width === 0 || canvas.height === 0)"
                                        + " { return; }"
                                        + "  const data = canvas.getContext('2d').getImageData("
                                        + "0, 0, canvas.width, canvas.height).data;"
                                        + "  for (let i = 0; i < data.length; i += 4) {"
                                        + "    if (data[i + 3] > 200 && wanted.every((value, at) =>"
                                        + " Math.abs(data[i + at] - value) < 12)) { count++; }"
                                        + "  }"
                                        + "});"
                                        + "return count;",
                                "section.panel[data-panel='" + panel + "'] canvas",
                                colour))
                .longValue();
    }
}
