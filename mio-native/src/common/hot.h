#ifndef MIO_COMMON_HOT_H
#define MIO_COMMON_HOT_H

/*
 * Marks the functions that every traced read or write passes through. The linker puts them side by side, so that the cost of a
 * call does not depend on where other code happens to lie (15 ns of 45 from one build to the next).
 */
#define MIO_HOT __attribute__((hot))

#endif
