#ifndef MIO_COMMON_CLOCK_H
#define MIO_COMMON_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a clock that only goes forward; its start means nothing. No system call on usual machines. */
int64_t mio_clock_ns(void);

/* mio_clock_ns when the library began in this process: the times of reports count from here (reference 4.4). */
int64_t mio_clock_begin_ns(void);

#endif
