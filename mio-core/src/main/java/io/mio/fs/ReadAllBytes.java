package io.mio.fs;

import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Recognises {@code Files.readAllBytes} as the caller. The JDK makes the channel it opens there
 * safe from interrupts, but only a channel of its own class.
 */
final class ReadAllBytes implements Function<Stream<StackWalker.StackFrame>, Boolean> {
    /** Frames between the opener and it: this room, a provider or two around it, and Files. */
    private static final int FRAMES_MAX = 12;

    private ReadAllBytes() {}

    static boolean isCalling() {
        return StackWalker.getInstance().walk(new ReadAllBytes());
    }

    @Override
    public Boolean apply(Stream<StackWalker.StackFrame> frames) {
        Iterator<StackWalker.StackFrame> iterator = frames.iterator();
        for (int i = 0; i < FRAMES_MAX && iterator.hasNext(); i++) {
            StackWalker.StackFrame frame = iterator.next();
            // The class first: the JVM has to look a method's name up.
            if (frame.getClassName().equals("java.nio.file.Files")
                    && frame.getMethodName().equals("readAllBytes")) {
                return true;
            }
        }
        return false;
    }
}
