/*
 * Functions that a program asks the C library for by its handle, dlsym(dlopen("libc.so.6"), "read"), as foreign-function interfaces do (JNR, ctypes,
 * the linker of Java 22). Such calls would bypass MIO, while other calls of the program on the same descriptor would not: the former would
 * use the kernel's position, the latter MIO's. So a program that asks for a function gets MIO's, if it would have got the one that MIO's calls.
 *
 * A search in the next library, or in all (RTLD_NEXT, RTLD_DEFAULT), depends on the caller, and finds MIO's by itself. So the wrapper jumps to
 * the loader's dlsym, as if that had been called. This takes a few lines of assembler; on machines that have none here, dlsym is not wrapped.
 */
#include "preload.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#endif

#ifdef OLDEST

struct export {
	const char *name;
	void *function;
};

/* The table that MIO_EXPORT fills; the linker defines the names of its ends. */
extern const struct export __start_mio_exports[] __attribute__((visibility("hidden")));
extern const struct export __stop_mio_exports[] __attribute__((visibility("hidden")));

/* May be called before the constructor, by an allocator that starts. */
__attribute__((used)) mio_symbol_function *mio_preload_dlsym(void)
{
	static mio_symbol_function *_Atomic found;
	mio_symbol_function *real = atomic_load_explicit(&found, memory_order_relaxed);

	if (!real) {
		real = (mio_symbol_function *)(uintptr_t)dlvsym(RTLD_NEXT, "dlsym", OLDEST);
		atomic_store_explicit(&found, real, memory_order_relaxed);
	}
	return real;
}

static void *ours(const char *name)
{
	for (const struct export *one = __start_mio_exports; one < __stop_mio_exports; one++)
		if (strcmp(one->name, name) == 0)
			return one->function;
	return NULL;
}

__attribute__((used, visibility("hidden"))) void *mio_preload_symbol_of(void *handle, const char *name)
{
	mio_symbol_function *real = mio_preload_dlsym();
	void *function = real(handle, name);
	void *own = function ? ours(name) : NULL;
	void *next = own ? real(RTLD_NEXT, name) : NULL;

	/* That there is no next function must not show as an error: what was asked for was found. */
	if (own && !next)
		dlerror();
	return own && function == next ? own : function;
}

#if defined(__x86_64__)
__asm__(".pushsection .text\n"
	".hidden mio_pre_dlsym\n.type mio_pre_dlsym, %function\n"
	"mio_pre_dlsym:\n"
	"	endbr64\n"
	"	leaq 1(%rdi), %rax\n"
	"	cmpq $1, %rax\n"
	"	ja mio_preload_symbol_of\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	subq $8, %rsp\n"
	"	call mio_preload_dlsym\n"
	"	addq $8, %rsp\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"	jmpq *%rax\n"
	".size mio_pre_dlsym, . - mio_pre_dlsym\n"
	".popsection\n");
#else
__asm__(".pushsection .text\n"
	".hidden mio_pre_dlsym\n.type mio_pre_dlsym, %function\n"
	".balign 4\n"
	"mio_pre_dlsym:\n"
	"	hint #34\n"
	"	add x16, x0, #1\n"
	"	cmp x16, #1\n"
	"	b.hi mio_preload_symbol_of\n"
	"	stp x29, x30, [sp, #-32]!\n"
	"	stp x0, x1, [sp, #16]\n"
	"	bl mio_preload_dlsym\n"
	"	mov x16, x0\n"
	"	ldp x0, x1, [sp, #16]\n"
	"	ldp x29, x30, [sp], #32\n"
	"	br x16\n"
	".size mio_pre_dlsym, . - mio_pre_dlsym\n"
	".popsection\n");
#endif
MIO_EXPORT(dlsym, mio_pre_dlsym);

#else

mio_symbol_function *mio_preload_dlsym(void)
{
	return dlsym;
}

#endif
