#ifndef MIO_COMMON_HOT_H
#define MIO_COMMON_HOT_H

/*
 * For the functions that every traced read or write passes: the linker puts them side by side, so that what a call costs does not
 * hang on where other code happens to lie (15 ns of 45 from one build to the next).
 */
#define MIO_HOT __attribute__((hot))

#endif
