package java.lang.foreign;

import java.nio.Buffer;

/** Stands in for the type of 22 while compiling for 17; never in the jar. */
public interface MemorySegment {
    /** As the type itself. */
    static MemorySegment ofBuffer(Buffer buffer) {
        return null;
    }

    /** As the type itself. */
    Scope scope();

    /** As the type itself. */
    interface Scope {
        /** As the type itself. */
        boolean isAlive();
    }
}
