package io.mio.stack;

import io.mio.config.StackSpec;
import io.mio.layer.Layer;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.OpenRequest;
import io.mio.pf.AutoLayer;
import java.io.IOException;

/** What a door asks when a file is opened: is there a rule for it, and if so, its layers. */
public interface Stacks {
    /**
     * The layers for the file of this name as the program gave it, or null: the file gets the
     * platform's own objects, because no rule matches or because the one that does asks for
     * nothing.
     */
    StackSpec match(String name);

    /**
     * True if a file of which {@code pf/auto} makes nothing, see {@link AutoLayer#mayGain}, needs
     * no layers: there are no others, and nobody wants to see opens.
     */
    default boolean leavesSmall(StackSpec spec) {
        return false;
    }

    /**
     * Opens the file at the platform: {@code open}, and again where {@code spec} says so. It
     * happens before there are layers, which is why the layers' part in it is here.
     *
     * @param name as given to {@link #match}
     */
    default <T> T opening(StackSpec spec, String name, IoCall<T> open) throws IOException {
        return open.call();
    }

    /**
     * Composes the layers of {@code spec} over {@code os}. If it throws, those that were made are
     * closed, and {@code os} with them; the caller closes it all the same, as there may be none.
     */
    Layer open(StackSpec spec, OpenRequest request, Layer os) throws IOException;

    /**
     * Takes a line about how a file can be served, for whoever wants to see opens (MIO_DEBUG=OPEN).
     *
     * @param spec its layers
     * @param name the file, as the program gave it
     * @param line without line end
     */
    default void debug(StackSpec spec, String name, String line) {}
}
