package io.mio.pf;

/**
 * How long a program may use memory it mapped that is no {@link java.nio.MappedByteBuffer}: from 22
 * on such memory ends with an arena, for which 17 has no word. Safe for use by several threads.
 */
public interface MappedScope {
    /** What the memory of {@code mapped} ends with; null if that is not known. */
    Object of(Object mapped);

    /**
     * True if the memory ends when the garbage collector finds the scope unused. Else the program
     * ends it, or nobody: then the memory stays, even if the scope is nobody's any more.
     */
    boolean isCollected(Object scope);

    /**
     * False once the program has ended it. A thread that was copying into the memory then may come
     * to the end of that copy later.
     */
    boolean isAlive(Object scope);
}
