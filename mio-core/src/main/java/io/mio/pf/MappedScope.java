package io.mio.pf;

/**
 * Knows how long a program may use mapped memory that is no {@link java.nio.MappedByteBuffer}: from
 * JDK 22 on such memory ends with an arena, which JDK 17 has no type for. Safe for use by several
 * threads.
 */
public interface MappedScope {
    /** The scope that the memory of {@code mapped} ends with; null if that is not known. */
    Object of(Object mapped);

    /**
     * True if the memory ends when the garbage collector finds the scope unused. Else the program
     * ends it, or nobody does: then the memory stays, even if the scope is unreachable.
     */
    boolean isCollected(Object scope);

    /**
     * False once the program has ended the scope. A thread that was copying into the memory then
     * may finish that copy later.
     */
    boolean isAlive(Object scope);
}
