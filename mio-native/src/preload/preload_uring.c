/*
 * liburing's functions that make a ring. liburing makes its system calls in assembler, where MIO does not see them; the requests of
 * a ring go past MIO.
 *
 * A name of the preload library hides the same name of every other library, even of one that is loaded for a part of the program
 * alone, or that contains liburing. So the real function is looked for in the way the caller would have found it.
 */
#include "preload.h"

#include <dlfcn.h>
#include <link.h>

struct io_uring;
struct io_uring_params;

static void *function_of(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	void *function = NULL;

	if (handle) {
		function = mio_preload_dlsym()(handle, name);
		/* The caller of the function keeps the library loaded. */
		dlclose(handle);
	}
	return function;
}

/* The name of the library that contains the address. NULL also for the program itself, whose libraries RTLD_NEXT searches. */
static const char *library_of(const void *address)
{
	void *data = NULL;
	const struct link_map *map;
	Dl_info found;

	if (!dladdr1(address, &found, &data, RTLD_DL_LINKMAP) || !data)
		return NULL;
	map = data;
	return map->l_name[0] ? map->l_name : NULL;
}

static void *find(const char *name, const void *caller)
{
	static const char *const libraries[] = {"liburing.so.2", "liburing-ffi.so.2", "liburing.so.1"};
	void *function = mio_preload_dlsym()(RTLD_NEXT, name);
	const char *library = function ? NULL : library_of(caller);

	if (library)
		function = function_of(library, name);
	for (size_t i = 0; !function && i < sizeof(libraries) / sizeof(libraries[0]); i++)
		function = function_of(libraries[i], name);
	return function;
}

static void *real(const char *name, const void *caller)
{
	int errno_before = errno;
	void *function = find(name, caller);

	errno = errno_before;
	return function;
}

/* Nobody has the ring before this returns. A refused ring costs no cache: programs make one to find out whether there are any. */
static int made(int result)
{
	if (result >= 0)
		mio_door_foreign();
	return result;
}

MIO_WRAPPER int mio_pre_io_uring_queue_init(unsigned int entries, struct io_uring *ring, unsigned int flags)
{
	typedef int function(unsigned int, struct io_uring *, unsigned int);
	function *init = (function *)(uintptr_t)real("io_uring_queue_init", __builtin_return_address(0));

	return init ? made(init(entries, ring, flags)) : -ENOSYS;
}
MIO_EXPORT(io_uring_queue_init, mio_pre_io_uring_queue_init);

MIO_WRAPPER int mio_pre_io_uring_queue_init_params(unsigned int entries, struct io_uring *ring, struct io_uring_params *params)
{
	typedef int function(unsigned int, struct io_uring *, struct io_uring_params *);
	function *init = (function *)(uintptr_t)real("io_uring_queue_init_params", __builtin_return_address(0));

	return init ? made(init(entries, ring, params)) : -ENOSYS;
}
MIO_EXPORT(io_uring_queue_init_params, mio_pre_io_uring_queue_init_params);

MIO_WRAPPER int mio_pre_io_uring_queue_init_mem(unsigned int entries, struct io_uring *ring, struct io_uring_params *params,
						void *memory, size_t bytes)
{
	typedef int function(unsigned int, struct io_uring *, struct io_uring_params *, void *, size_t);
	function *init = (function *)(uintptr_t)real("io_uring_queue_init_mem", __builtin_return_address(0));

	return init ? made(init(entries, ring, params, memory, bytes)) : -ENOSYS;
}
MIO_EXPORT(io_uring_queue_init_mem, mio_pre_io_uring_queue_init_mem);

MIO_WRAPPER int mio_pre_io_uring_setup(unsigned int entries, struct io_uring_params *params)
{
	typedef int function(unsigned int, struct io_uring_params *);
	function *setup = (function *)(uintptr_t)real("io_uring_setup", __builtin_return_address(0));

	return setup ? made(setup(entries, params)) : -ENOSYS;
}
MIO_EXPORT(io_uring_setup, mio_pre_io_uring_setup);
