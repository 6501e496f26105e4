package io.mio.fs;

import java.util.concurrent.Callable;

/** The outcome of a call: its value, or the class of what it threw. */
record Outcome(Object value, Class<?> thrown) {
    static Outcome of(Callable<?> call) {
        try {
            return new Outcome(call.call(), null);
        } catch (Exception e) {
            return new Outcome(null, e.getClass());
        }
    }

    @Override
    public String toString() {
        return thrown == null ? String.valueOf(value) : thrown.getSimpleName();
    }
}
