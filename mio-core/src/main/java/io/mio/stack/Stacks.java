package io.mio.stack;

import io.mio.config.StackSpec;
import io.mio.layer.Layer;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.OpenRequest;
import io.mio.pf.AutoLayer;
import java.io.IOException;

/** What a door asks when a file is opened: whether there is a rule for it, and its layers. */
public interface Stacks {
    /**
     * The layers for the file of this name as the program gave it, or null: the file gets the
     * platform's own objects, because no rule matches or because the one that does asks for
     * nothing.
     */
    StackSpec match(String name);

    /**
     * True if a file that {@code pf/auto} cannot help (see {@link AutoLayer#mayGain}) needs no
     * layers: the rule has no others, and nobody wants to see opens.
     */
    default boolean leavesSmall(StackSpec spec) {
        return false;
    }

    /**
     * Opens the file at the platform by {@code open}, and tries again where {@code spec} says so.
     * The platform's open happens before there are layers, so the part that layers have in it is
     * here.
     *
     * @param name as given to {@link #match}
     */
    default <T> T opening(StackSpec spec, String name, IoCall<T> open) throws IOException {
        return open.call();
    }

    /**
     * Composes the layers of {@code spec} over {@code os}. If this throws, the layers made so far
     * are closed, and {@code os} with them. The caller closes {@code os} all the same, in case none
     * was made.
     */
    Layer open(StackSpec spec, OpenRequest request, Layer os) throws IOException;

    /**
     * Takes a line about how a file can be served, for whoever wants to see opens (MIO_DEBUG=OPEN).
     *
     * @param spec the file's layers
     * @param name the file, as the program gave it
     * @param line without line end
     */
    default void debug(StackSpec spec, String name, String line) {}
}
