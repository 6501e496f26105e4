#ifndef MIO_PRELOAD_H
#define MIO_PRELOAD_H

/*
 * The preload library: functions with names of the C library. Each asks the door first, and where the door passes, calls the real function. Here
 * are only the shapes of calls; src/door decides what they mean for a file.
 *
 * A wrapper is written as mio_pre_NAME and given its names by MIO_EXPORT, because the C library declares some of them in ways that cannot be
 * defined again (fortified, never null, aliases).
 *
 * The real functions are those that follow MIO's in the order of the loader, so that other preload libraries stay in line. The constructor finds
 * them. Before that a wrapper makes the system call itself: looking up a name allocates memory, and the caller may be an allocator.
 */

#include <errno.h>
#include <stdint.h>
#include <sys/types.h>

#include "../common/memory.h"
#include "../common/raw.h"
#include "../door/door.h"
#include "preload_names.h"

#define MIO_EXPORT(name, implementation) \
	__asm__(".globl " #name "\n.type " #name ", %function\n.set " #name ", " #implementation "\n" MIO_LISTED(#name, #implementation))

/* An entry in the table of exported functions (preload_symbol.c). */
#if defined(__x86_64__) || defined(__aarch64__)
#define MIO_LISTED(name, implementation)                                                                       \
	".pushsection .rodata.mio_names,\"a\"\n770: .asciz \"" name "\"\n.popsection\n"                          \
	".pushsection mio_exports,\"aw\"\n.balign 8\n.quad 770b, " implementation "\n.popsection\n"
#else
#define MIO_LISTED(name, implementation)
#endif

/* A function that MIO_EXPORT names; hidden under its own name, by which other files of the library may call it (preload_wrappers.h). */
#define MIO_WRAPPER __attribute__((visibility("hidden"), used))

enum mio_real_index {
#define MIO_REAL_INDEX(name) MIO_REAL_##name,
	MIO_REAL_NAMES(MIO_REAL_INDEX)
#undef MIO_REAL_INDEX
	MIO_REALS
};

/* The real functions. NULL before the constructor, and where the C library does not have the function. */
extern void *mio_reals[MIO_REALS];

/* The real function, as a pointer of that type; may be NULL. */
#define MIO_REAL(name, type) ((type)(uintptr_t)mio_reals[MIO_REAL_##name])
/* The same for functions without a system call of their own: looked up now if the constructor has not run. */
#define MIO_REAL_NOW(name, type) ((type)(uintptr_t)mio_preload_real(MIO_REAL_##name))

void *mio_preload_real(enum mio_real_index index);
void mio_preload_find_all(void);
/*
 * 1 if a call of syscall() comes from a library behind MIO that offers one of the names, too (tcmalloc: mmap). It then makes the system call for
 * a real function that MIO has called.
 */
int mio_preload_is_from_behind(const void *caller);
/* 1 if the name of a library begins with one of these. */
int mio_preload_begins(const char *name, const char *const *with, size_t count);
/* Marks a function that calls functions of the program: a syscall() that returns into it does not come from behind MIO. */
#define MIO_CALLS_PROGRAM __attribute__((section("mio_calls_program")))

/* 1 if a call that shows a file must not be made, because writing the file before has failed. A closed open has nothing to write. */
static inline int mio_preload_is_unshown(int64_t published)
{
	return published < 0 && published != MIO_DOOR_PASS && published != -EBADF;
}

/* Turns a result of the kernel or the door into one of the C library's form. */
static inline long mio_preload_result(int64_t result)
{
	if (result < 0) {
		errno = (int)-result;
		return -1;
	}
	return (long)result;
}

/* Memory for code that runs outside of the door. */
static inline void *mio_preload_take(size_t bytes)
{
	int before = mio_door_enter();
	void *memory = mio_memory_take(bytes);

	mio_door_leave(before);
	return memory;
}

static inline void mio_preload_give(void *memory, size_t bytes)
{
	int before = mio_door_enter();

	mio_memory_give(memory, bytes);
	mio_door_leave(before);
}

/* For wrappers of cancellation points, which remain such. */
void mio_preload_test_cancel(void);

/* preload_open.c: a descriptor that an open inside the C library has made gets its layers. */
void mio_preload_adopt(int fd, const char *name, int oflags);
int mio_preload_open(int directory, const char *name, int oflags, mode_t mode, int is_at);

/* preload_stat.c: 1 if these attributes of a file are outdated by now. */
struct stat;
struct statx;
int mio_preload_is_old(long rc, const struct stat *found);
int mio_preload_is_old_statx(long rc, const struct statx *found);

/* preload_process.c */
void mio_preload_before_spawn(void);
/* The process ends: writes streams, bytes and reports. */
void mio_preload_end(void);
/* Number of this process; in a child that shares the parent's memory, the parent's. The door is open. */
long mio_preload_process(void);
/*
 * preload_identity.c: from now on the program runs without MIO, which makes no system call of its own any more. Before system calls are filtered.
 */
void mio_preload_leave(void);
/* Brackets of a call that changes rights, name spaces or the root. user: whether the effective user may be another one afterwards. */
enum { MIO_NO_USER, MIO_USER_OF_THREAD, MIO_USER_OF_ALL };
void mio_preload_identity_coming(int user);
void mio_preload_identity_settled(int user);
/* preload_symbol.c: the loader's own dlsym, for the library that calls it. */
typedef void *mio_symbol_function(void *handle, const char *name);
mio_symbol_function *mio_preload_dlsym(void);

/* preload_wide.c: 1 if the program uses streams of wide characters. */
int mio_preload_is_wide(void);
void mio_preload_wide_forked(void);
/* preload_cookie.c: writes what streams with layers have buffered. */
void mio_preload_flush_streams(void);
/* In a forked child: another thread of the parent may have held the list. */
void mio_preload_streams_forked(void);
/*
 * preload_signal.c: to be called after an open that may have got layers. From the first such open on, signals wait for MIO's calls; from the
 * first cache on, signals that end the process write everything out first.
 */
void mio_preload_guard_signals(void);
void mio_preload_signals_forked(void);
/* 1 once that may happen. */
int mio_preload_may_serve_signals(void);
/*
 * sets_signal: 1 if MIO may set the action of this number. That holds as long as files may get layers, as the first one may just be getting them.
 * Whether MIO serves signals already is known only with the table, which is held with all signals blocked.
 */
int mio_preload_sets_signal(int number);
struct mio_preload_signals {
	uint64_t mask;	/* signal mask before */
};
void mio_preload_hold_signals(struct mio_preload_signals *table);
void mio_preload_release_signals(struct mio_preload_signals *table);
/* Gives every signal back to the program. */
void mio_preload_leave_signals(void);

#endif
