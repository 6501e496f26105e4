package io.mio.fs;

import io.mio.config.StackSpec;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stack.Stacks;

/** No rule for any file: every file gets the platform's own channel. */
final class NoStacks implements Stacks {
    @Override
    public StackSpec match(String name) {
        return null;
    }

    @Override
    public Layer open(StackSpec spec, OpenRequest request, Layer os) {
        throw new IllegalStateException("no rule matched, so there is nothing to open: " + spec);
    }
}
