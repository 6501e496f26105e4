package io.mio.fs;

import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Recognises {@code Files.readAllBytes} as the caller. The JDK protects the channel it opens there
 * from interrupts, but only if the channel is of the JDK's own class.
 */
final class ReadAllBytes implements Function<Stream<StackWalker.StackFrame>, Boolean> {
    /** Most frames searched: those of this package, a provider or two around it, and Files. */
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
            // The class first, because the JVM has to look up the name of a method.
            if (frame.getClassName().equals("java.nio.file.Files")
                    && frame.getMethodName().equals("readAllBytes")) {
                return true;
            }
        }
        return false;
    }
}
