package io.mio.fs;

import io.mio.config.StackSpec;

/**
 * What is to happen to a file that is opened.
 *
 * @param spec its layers
 * @param front what they ask of the open itself
 * @param onlyIfCached no rule asks for layers: it gets them only if it has pages by another open,
 *     else it is the platform's own object
 */
record OpenRule(StackSpec spec, FrontOptions front, boolean onlyIfCached) {
    /** Made at first use: without pages in the process nobody needs it. */
    private static final class Unruled {
        static final OpenRule RULE = make(StackSpec.parse("mio", "os"), true);
    }

    static OpenRule of(StackSpec spec) {
        return make(spec, false);
    }

    /** For a file that no rule asks layers for. */
    static OpenRule unruled() {
        return Unruled.RULE;
    }

    private static OpenRule make(StackSpec spec, boolean onlyIfCached) {
        return new OpenRule(spec, FrontOptions.of(spec), onlyIfCached);
    }
}
