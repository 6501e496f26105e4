package java.lang.foreign;

/** Stands in for the type of 22 while compiling for 17; never in the jar. */
public interface MemorySegment {}
