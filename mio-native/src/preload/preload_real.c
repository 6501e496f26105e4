#include "preload.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

void *mio_reals[MIO_REALS];

static const char *const names[MIO_REALS] = {
#define MIO_REAL_NAME(name) #name,
	MIO_REAL_NAMES(MIO_REAL_NAME)
#undef MIO_REAL_NAME
};

void *mio_preload_real(enum mio_real_index index)
{
	int errno_before = errno;

	if (!mio_reals[index])
		mio_reals[index] = mio_preload_dlsym()(RTLD_NEXT, names[index]);
	errno = errno_before;
	return mio_reals[index];
}

/* A range of a library's code. */
struct code {
	uintptr_t from;
	uintptr_t to;
};

enum { MOST_BEHIND = 16 };

static struct code behind[MOST_BEHIND];
static int behind_count;

static int is_within(uintptr_t place, const struct code *code)
{
	return place >= code->from && place < code->to;
}

int mio_preload_begins(const char *name, const char *const *with, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(name, with[i], strlen(with[i])) == 0)
			return 1;
	return 0;
}

/*
 * 1 for the parts of the C library. They call functions of the program; if such a function ends in a tail call, the return address lies
 * in the C library. They make no call by syscall() themselves.
 */
static int is_of_the_system(const char *path)
{
	static const char *const parts[] = {"libc.so", "libpthread.so", "librt.so", "libdl.so", "ld-linux"};
	const char *slash = strrchr(path, '/');

	return mio_preload_begins(slash ? slash + 1 : path, parts, sizeof(parts) / sizeof(parts[0]));
}

static int has_real(const struct code *code)
{
	for (int i = 0; i < MIO_REALS; i++)
		if (is_within((uintptr_t)mio_reals[i], code))
			return 1;
	return 0;
}

static int note_behind(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (is_of_the_system(info->dlpi_name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && behind_count < MOST_BEHIND; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		struct code code = {info->dlpi_addr + part->p_vaddr, info->dlpi_addr + part->p_vaddr + part->p_memsz};

		/* MIO's code counts, too: a function behind it whose last act is the call may leave the return to it (a tail call). */
		if (part->p_type == PT_LOAD && (part->p_flags & PF_X) &&
		    (has_real(&code) || is_within((uintptr_t)note_behind, &code)))
			behind[behind_count++] = code;
	}
	return 0;
}

void mio_preload_find_all(void)
{
	for (int i = 0; i < MIO_REALS; i++)
		mio_preload_real((enum mio_real_index)i);
	dl_iterate_phdr(note_behind, NULL);
}

/* The ends of the section MIO_CALLS_PROGRAM; the linker defines these names. */
extern const char __start_mio_calls_program[] __attribute__((visibility("hidden")));
extern const char __stop_mio_calls_program[] __attribute__((visibility("hidden")));

int mio_preload_is_from_behind(const void *caller)
{
	const struct code calls_program = {(uintptr_t)__start_mio_calls_program, (uintptr_t)__stop_mio_calls_program};

	if (is_within((uintptr_t)caller - 1, &calls_program))
		return 0;
	for (int i = 0; i < behind_count; i++)
		if (is_within((uintptr_t)caller, &behind[i]))
			return 1;
	return 0;
}

void mio_preload_test_cancel(void)
{
	pthread_testcancel();
}
