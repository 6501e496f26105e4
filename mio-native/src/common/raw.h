#ifndef MIO_COMMON_RAW_H
#define MIO_COMMON_RAW_H

/*
 * System calls without the C library: they meet no wrapper of MIO's, leave errno alone, are no cancellation points, and may be
 * made before constructors have run and in signal handlers. Each returns what the kernel returns: a result, or -errno.
 */

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)

static inline long mio_raw6(long nr, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

static inline long mio_raw6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#else

/* On other machines through the C library: correct, but subject to whoever wraps syscall(). */
static inline long mio_raw6(long nr, long a, long b, long c, long d, long e, long f)
{
	int errno_before = errno;
	long result = syscall(nr, a, b, c, d, e, f);

	if (result == -1)
		result = -errno;
	errno = errno_before;
	return result;
}

#endif

#define mio_raw0(nr) mio_raw6(nr, 0, 0, 0, 0, 0, 0)
#define mio_raw1(nr, a) mio_raw6(nr, (long)(a), 0, 0, 0, 0, 0)
#define mio_raw2(nr, a, b) mio_raw6(nr, (long)(a), (long)(b), 0, 0, 0, 0)
#define mio_raw3(nr, a, b, c) mio_raw6(nr, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define mio_raw4(nr, a, b, c, d) mio_raw6(nr, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define mio_raw5(nr, a, b, c, d, e) mio_raw6(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

/* A directory entry as getdents64 writes it (struct linux_dirent64). The next entry begins `length` bytes after this one. */
struct mio_raw_entry {
	uint64_t inode;
	int64_t next;
	uint16_t length;
	uint8_t type;
	char name[];
};

#endif
