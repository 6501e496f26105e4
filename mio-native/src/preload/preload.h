#ifndef MIO_PRELOAD_H
#define MIO_PRELOAD_H

/*
 * The preload library: names of the C library, each of which asks the door and else calls the real function. Here are only
 * the shapes of calls; what they mean for a file is in src/door.
 *
 * A wrapper is written as mio_pre_NAME and given its names by MIO_EXPORT, because the C library declares some of them in ways
 * that cannot be defined again (fortified, never null, aliases).
 *
 * Real functions are those behind ours in the order of the loader, so that other preload libraries stay in line. They are
 * found in the constructor. Before it a wrapper makes the system call by itself: looking for a name allocates memory,
 * and an allocator may be the caller.
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

/* An entry in the table of what we export (preload_symbol.c). */
#if defined(__x86_64__) || defined(__aarch64__)
#define MIO_LISTED(name, implementation)                                                                       \
	".pushsection .rodata.mio_names,\"a\"\n770: .asciz \"" name "\"\n.popsection\n"                          \
	".pushsection mio_exports,\"aw\"\n.balign 8\n.quad 770b, " implementation "\n.popsection\n"
#else
#define MIO_LISTED(name, implementation)
#endif

/* A function that MIO_EXPORT names; hidden under its own name, which others of the library may call (preload_wrappers.h). */
#define MIO_WRAPPER __attribute__((visibility("hidden"), used))

enum mio_real_index {
#define MIO_REAL_INDEX(name) MIO_REAL_##name,
	MIO_REAL_NAMES(MIO_REAL_INDEX)
#undef MIO_REAL_INDEX
	MIO_REALS
};

/* NULL before the constructor, and where the C library does not have it. */
extern void *mio_reals[MIO_REALS];

/* The real function as one of that type; may be NULL. */
#define MIO_REAL(name, type) ((type)(uintptr_t)mio_reals[MIO_REAL_##name])
/* The same for functions without a system call of their own: looked for now if the constructor has not run. */
#define MIO_REAL_NOW(name, type) ((type)(uintptr_t)mio_preload_real(MIO_REAL_##name))

void *mio_preload_real(enum mio_real_index index);
void mio_preload_find_all(void);
/*
 * 1 if a call of syscall() comes from a library behind ours that offers one of the names too (tcmalloc: mmap): it makes the system call of a real
 * function by it, which MIO has asked for.
 */
int mio_preload_is_from_behind(const void *caller);
/* 1 if the name of a library begins with one of these. */
int mio_preload_begins(const char *name, const char *const *with, size_t count);
/* Of a function that calls the program's: what is called from there is not. */
#define MIO_CALLS_PROGRAM __attribute__((section("mio_calls_program")))

/* Result of the kernel or the door as the C library gives it. */
/* A call that shows a file is not made: what was to be written before failed. A closed open has nothing to write. */
static inline int mio_preload_is_unshown(int64_t published)
{
	return published < 0 && published != MIO_DOOR_PASS && published != -EBADF;
}

static inline long mio_preload_result(int64_t result)
{
	if (result < 0) {
		errno = (int)-result;
		return -1;
	}
	return (long)result;
}

/* Memory, for what runs outside the door. */
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

/* A call that is a cancellation point is one still. */
void mio_preload_test_cancel(void);

/* preload_open.c: a descriptor that an open of the C library's own has made gets its layers. */
void mio_preload_adopt(int fd, const char *name, int oflags);
int mio_preload_open(int directory, const char *name, int oflags, mode_t mode, int is_at);

/* preload_stat.c: 1 if an answer to what was asked of a file is old by now. */
struct stat;
struct statx;
int mio_preload_is_old(long rc, const struct stat *found);
int mio_preload_is_old_statx(long rc, const struct statx *found);

/* preload_process.c */
void mio_preload_before_spawn(void);
/* The process ends: streams, bytes, reports. */
void mio_preload_end(void);
/* Its number: that of the parent in a child that shares its memory. The door is open. */
long mio_preload_process(void);
/* preload_identity.c: from now on the program runs without MIO, which makes no system call of its own any more: calls are about to be filtered. */
void mio_preload_leave(void);
/* Brackets of a call that changes rights, name spaces or the root; user: whether the effective user may be another one then. */
enum { MIO_NO_USER, MIO_USER_OF_THREAD, MIO_USER_OF_ALL };
void mio_preload_identity_coming(int user);
void mio_preload_identity_settled(int user);
/* preload_symbol.c: the loader's own dlsym, for the library that calls it. */
typedef void *mio_symbol_function(void *handle, const char *name);
mio_symbol_function *mio_preload_dlsym(void);

/* preload_wide.c: 1 if the program uses streams of wide characters. */
int mio_preload_is_wide(void);
void mio_preload_wide_forked(void);
/* preload_cookie.c: what streams with layers hold is written. */
void mio_preload_flush_streams(void);
/* In a forked child: another thread of the parent may have held the list. */
void mio_preload_streams_forked(void);
/* preload_signal.c: to be called after an open that may have got layers. From the first on, signals wait for MIO's calls; from the first cache on, those that end the process write out first. */
void mio_preload_guard_signals(void);
void mio_preload_signals_forked(void);
/* 1 from the time on when that may happen. */
int mio_preload_may_serve_signals(void);
/*
 * Whether a number's action is for MIO to set: as long as files may get layers, as the first may just be getting them. Whether it is served
 * already is known with the table alone, which is held with all signals blocked.
 */
int mio_preload_sets_signal(int number);
struct mio_preload_signals {
	uint64_t mask;	/* before */
};
void mio_preload_hold_signals(struct mio_preload_signals *table);
void mio_preload_release_signals(struct mio_preload_signals *table);
/* Each signal is the program's own again. */
void mio_preload_leave_signals(void);

#endif
