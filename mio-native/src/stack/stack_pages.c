/*
 * Pages that an open under pf/auto takes while the file is open. Layers are made as at an open, over descriptors of MIO's own. They are put to
 * use while the gate is held alone, so that no request is on its way at that moment. If anything goes wrong, the file stays with the kernel.
 */
#include "stack_open.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "../common/memory.h"
#include "../live/live.h"
#include "../os/os_call.h"
#include "../os/os_layer.h"
#include "../pf/pf_auto.h"
#include "../pf/pf_direct_memory.h"
#include "../pf/pf_layer.h"
#include "stack_process.h"

/* Most opens of the process with such pages at the same time: each has a cache of its own. */
#define OPENS_MAX 16

static const _Atomic int no_wish;
static _Atomic int opens;
/* Number of forks that led to this process. An open of a parent has a lower number in its stack, and does not count here. */
static int forks;

const _Atomic int *mio_stack_wish(const struct mio_stack *stack)
{
	return stack->automatic ? mio_pf_auto_wish(stack->automatic) : &no_wish;
}

int mio_stack_may_have_pages(const struct mio_stack *stack)
{
	return !atomic_load_explicit(stack->head.settled, memory_order_acquire);
}

void mio_stack_stay(struct mio_stack *stack, const char *why)
{
	if (stack->automatic)
		mio_pf_auto_stay(stack->automatic, why);
}

int mio_stack_gives_pages(const struct mio_stack *stack)
{
	return stack->automatic && atomic_load(mio_pf_auto_wish(stack->automatic)) == MIO_PF_AUTO_GIVE;
}

static int is_direct(const struct mio_stack *stack)
{
	return atomic_load(mio_pf_auto_wish(stack->automatic)) == MIO_PF_AUTO_TAKE_DIRECT;
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* Counts the open among those with pages, and takes memory for pages read by direct I/O. NULL, or the reason in words why that is not possible. */
static const char *enter_place(struct mio_stack *stack, struct mio_pf_direct_memory *memory)
{
	int now = atomic_load(&opens);

	while (now < OPENS_MAX && !atomic_compare_exchange_weak(&opens, &now, now + 1))
		;
	stack->has_place = now < OPENS_MAX;
	stack->forks = forks;
	if (!stack->has_place)
		return TEXT(OPENS_MAX) " opens of the process have some";
	return is_direct(stack) ? mio_pf_direct_memory_take(memory) : NULL;
}

void mio_stack_leave_place(struct mio_stack *stack)
{
	if (stack->has_place && stack->forks == forks)
		atomic_fetch_sub(&opens, 1);
	stack->has_place = 0;
	stack->direct_bytes = 0;
}

void mio_stack_pages_forked(void)
{
	forks++;
	atomic_store(&opens, 0);
}

static void say(void *context, const char *line)
{
	struct mio_stack *stack = context;

	mio_stack_debug_line(stack->spec->layers[stack->place].typed_name, stack->name, line);
}

/*
 * Opens the descriptors through which pages are read. They stay open until the open is closed, because closing them would drop the program's
 * POSIX locks. NULL, or the reason in words why there are none.
 */
static const char *open_own(struct mio_stack *stack, struct mio_open_request *request)
{
	static const char nothing[] = "there is no memory or no descriptor for them";
	int direct = stack->direct_bytes > 0;
	struct mio_os_wish wish = {.direct = direct, .asynchronous = direct, .buffered_writes = 1};
	struct mio_os_own *own = NULL;
	struct mio_layer *os;

	if (mio_os_own_open(request->fd, request->oflags, stack->name, &wish, say, stack, &own) != 0)
		return nothing;
	request->direct_pages = direct && mio_os_own_is_direct(own);
	os = mio_os_layer_make(&stack->spec->layers[stack->spec->count - 1], request, own);
	/* Without memory the descriptors stay open, because closing them here would drop locks. */
	if (!os)
		return nothing;
	mio_pf_attached_keep(stack->attached, os);
	return direct && !request->direct_pages ? "the file system takes no direct I/O" : NULL;
}

/* Sets request to what an open at this moment would get. 0 or -errno. */
static int renew(struct mio_stack *stack, int fd, int oflags, struct mio_open_request *request)
{
	struct stat found;
	int rc = (int)mio_os_call_stat(fd, &found);

	*request = stack->request;
	request->fd = fd;
	request->oflags = oflags;
	request->size_bytes = rc < 0 ? 0 : found.st_size;
	request->cacheable = 1;
	request->direct_pages = 0;
	return rc;
}

/* Makes the pages by a spec that is filled here; NULL if that is not possible, with the reason in *why. */
static struct mio_layer *make_by(struct mio_stack *stack, struct mio_open_request *request, struct mio_layer_spec *spec, const char **why)
{
	struct mio_layer *pages;

	mio_live_reserve(mio_os_engine());
	mio_pf_auto_pages_spec(&stack->spec->layers[stack->place], stack->direct_bytes, request->size_bytes, spec);
	*why = open_own(stack, request);
	if (*why)
		return NULL;
	if (request->direct_pages)
		request->oflags |= O_DIRECT;
	if (mio_pf_layer_make(spec, mio_pf_auto_below(stack->automatic), stack->file, request, mio_os_engine, &pages) < 0) {
		*why = "there is no memory for them";
		return NULL;
	}
	mio_pf_layer_tell_for(pages, mio_pf_attached_told(stack->attached));
	mio_stack_watch_pages(stack->spec, stack->place, pages, request);
	return pages;
}

/* Makes the pages, with a cache of stack->direct_bytes or a small one; NULL if that is not possible, with the reason in *why. */
static struct mio_layer *make_layer(struct mio_stack *stack, int fd, int oflags, const char **why)
{
	struct mio_open_request request;
	struct mio_layer_spec *spec;
	struct mio_layer *pages = NULL;

	*why = "there is no memory or no descriptor for them";
	/* A spec is large, and the program's stack may be small. */
	spec = mio_memory_take(sizeof(*spec));
	if (spec && renew(stack, fd, oflags, &request) == 0)
		pages = make_by(stack, &request, spec, why);
	mio_memory_give(spec, sizeof(*spec));
	return pages;
}

/* The same with what the open has to have before: a place among those with pages, and memory that the cache keeps. */
static struct mio_layer *make(struct mio_stack *stack, int fd, int oflags, const char **why)
{
	struct mio_pf_direct_memory memory = {0};
	struct mio_layer *pages = NULL;

	*why = enter_place(stack, &memory);
	stack->direct_bytes = memory.bytes;
	if (!*why)
		pages = make_layer(stack, fd, oflags, why);
	if (pages)
		mio_pf_layer_hand_direct(pages, &memory);
	mio_pf_direct_memory_give(&memory);
	return pages;
}

/* Puts the pages to use. 0: meanwhile a request of another thread left the file with the kernel for good. None can do so while the gate is held alone. */
static int use(struct mio_stack *stack, struct mio_layer *pages)
{
	struct mio_text reason = {0};
	int may;

	mio_pf_file_alone(stack->file);
	may = mio_stack_may_have_pages(stack);
	if (may) {
		mio_pf_attached_use(stack->attached, 1);
		mio_pf_auto_take(stack->automatic, pages, stack->direct_bytes);
	}
	mio_pf_file_unalone(stack->file);
	if (!may)
		return 0;
	mio_pf_auto_reason(stack->automatic, &reason);
	if (!reason.failed)
		say(stack, mio_text_string(&reason));
	mio_text_clear(&reason);
	return 1;
}

/* Drops pages that were made and not yet used. */
static void drop(struct mio_stack *stack, struct mio_layer *pages)
{
	mio_pf_file_alone(stack->file);
	pages->ops->close(pages);
	mio_pf_file_unalone(stack->file);
	pages->ops->release(pages);
}

int mio_stack_take_pages(struct mio_stack *stack, int fd, int oflags, const char *(*may)(void *context), void *context)
{
	struct mio_layer *pages = NULL;
	const char *why = "another open of the file has some";

	if (mio_stack_may_have_pages(stack) && !mio_pf_file_is_cached(stack->file)) {
		pages = make(stack, fd, oflags, &why);
		if (pages)
			why = may(context);
		if (!why && use(stack, pages))
			return 1;
	}
	if (pages)
		drop(stack, pages);
	mio_stack_leave_place(stack);
	mio_stack_stay(stack, why);
	return 0;
}

void mio_stack_give_pages(struct mio_stack *stack, const char *why)
{
	if (!stack->has_place)
		return;
	mio_pf_file_alone(stack->file);
	mio_pf_auto_give(stack->automatic, why);
	mio_pf_attached_use(stack->attached, 0);
	mio_pf_file_unalone(stack->file);
	mio_stack_leave_place(stack);
	say(stack, "no pages any more");
}
