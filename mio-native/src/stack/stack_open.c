/* Composes the layers of an open. See stack.h. */
#include "stack_open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "../common/memory.h"
#include "../live/live.h"
#include "../os/os_layer.h"
#include "../pf/pf_auto.h"
#include "../pf/pf_layer.h"
#include "../recov/recov_layer.h"
#include "../stats/stats.h"
#include "../trace/trace_layer.h"
#include "stack_process.h"

/* The smallest block size that direct I/O may require, bytes. */
#define SECTOR_BYTES_LEAST 512

static const struct mio_layer_spec *last_of(const struct mio_stack_spec *spec)
{
	return &spec->layers[spec->count - 1];
}

/* 1 for a pf with pages of its own; pf/auto has none. */
static int is_cache(const struct mio_layer_spec *layer)
{
	return layer->kind == MIO_LAYER_PF && !mio_spec_is_on(layer, MIO_PF_OPTION_AUTO);
}

int mio_stacks_has_cache(const struct mio_stack_spec *spec)
{
	for (int i = 0; i < spec->count; i++)
		if (is_cache(&spec->layers[i]))
			return 1;
	return 0;
}

/* Sets wish to what the rule's cache asks for; mio/direct without a cache gets requests in the caller's thread. Returns 0 if nothing is asked for. */
static int wish_of(const struct mio_stack_spec *spec, struct mio_os_wish *wish)
{
	int needed = mio_spec_is_on(&spec->layers[0], MIO_MIO_OPTION_DIRECT);

	memset(wish, 0, sizeof(*wish));
	wish->direct = needed;
	wish->unpaged = 1;
	for (int i = 0; i < spec->count; i++) {
		const struct mio_layer_spec *layer = &spec->layers[i];

		if (!is_cache(layer))
			continue;
		needed = 1;
		wish->unpaged = 0;
		wish->direct |= mio_spec_is_on(layer, MIO_PF_OPTION_DIRECT);
		wish->uncached = mio_spec_is_on(layer, MIO_PF_OPTION_UNCACHED);
		wish->asynchronous = mio_spec_is_on(layer, MIO_PF_OPTION_ASYNCHRONOUS);
	}
	return needed;
}

/* The layer that records what happens to pages: the topmost trace that has events; NULL: none. */
static const struct mio_layer_spec *recorder_of(const struct mio_stack_spec *spec)
{
	for (int i = 1; i < spec->count; i++)
		if (spec->layers[i].kind == MIO_LAYER_TRACE &&
		    mio_spec_is_on(&spec->layers[i], MIO_TRACE_OPTION_EVENTS))
			return &spec->layers[i];
	return NULL;
}

struct saying {
	const struct mio_stack_spec *spec;
	const char *name;
};

static void say(void *context, const char *line)
{
	struct saying *saying = context;

	mio_stack_debug_line(last_of(saying->spec)->typed_name, saying->name, line);
}

/* Makes layer the top of the stack; layer NULL: -ENOMEM. */
static int push(struct mio_stack *stack, struct mio_layer *layer)
{
	if (!layer)
		return -ENOMEM;
	stack->top = layer;
	return 0;
}

/* The name of the layer above layer i of a stack. */
static const char *above(const struct mio_stack_spec *spec, int i)
{
	return i == 1 ? "program" : spec->layers[i - 1].typed_name;
}

void mio_stack_watch_pages(const struct mio_stack_spec *spec, int i, struct mio_layer *cache,
			   const struct mio_open_request *request)
{
	const struct mio_layer_spec *recorder = recorder_of(spec);
	struct mio_trace_station station = {i, cache->name, above(spec, i), cache->next->name};
	struct mio_pf_facts facts = mio_pf_layer_facts(cache);
	struct mio_trace_pages pages = {(uint32_t)facts.page_bytes, (uint32_t)facts.frames, facts.cache};
	struct mio_page_watch *watch;

	if (!recorder || mio_pf_layer_is_watched(cache))
		return;
	watch = mio_trace_watch_make(mio_trace_events_file(mio_stack_output(), recorder), &station, request, &pages);
	if (watch && !mio_pf_layer_watch(cache, watch))
		watch->release(watch);
}

/* What came of it that a file is to go by a plan. */
struct planned {
	int follows;		/* as mio_pf_layer_follow returns it */
	struct mio_text words;
};

static void follow(const struct mio_layer_spec *layer, struct mio_layer *cache, const char *name, struct planned *planned)
{
	struct mio_text path = {0};
	struct mio_text line = {0};

	mio_stats_output_path(mio_stack_output(), layer->values[MIO_PF_OPTION_PLAN].text, &path);
	planned->follows = mio_pf_layer_follow(cache, path.failed ? NULL : mio_text_string(&path), &planned->words);
	if (planned->follows >= 0) {
		mio_text_add(&line, planned->follows ? "" : "no plan: ");
		mio_text_add(&line, mio_text_string(&planned->words));
		mio_stack_debug_line(layer->typed_name, name, mio_text_string(&line));
	}
	mio_text_clear(&path);
	mio_text_clear(&line);
}

static int add_cache(struct mio_stack *stack, const struct mio_stack_spec *spec, int i,
		     const struct mio_open_request *request, struct planned *planned)
{
	const struct mio_layer_spec *layer = &spec->layers[i];
	const char *target = mio_spec_is_on(layer, MIO_PF_OPTION_STATS) ? layer->values[MIO_PF_OPTION_STATS].text : NULL;
	int inter = mio_spec_is_on(layer, MIO_PF_OPTION_INTER);
	struct mio_layer *cache;
	int rc;

	mio_live_reserve(mio_os_engine());
	rc = mio_pf_layer_make(layer, stack->top, stack->file, request, mio_os_engine, &cache);
	if (rc == -ENOMEM) {
		/* Without memory for the frames the file has no cache, and the program goes on. */
		mio_stack_debug_line(layer->typed_name, request->name, "no memory for its cache");
		mio_os_layer_unpaged(stack->os);
		return push(stack, mio_pf_attached_make(stack->top, stack->file));
	}
	if (rc < 0)
		return rc;
	if (mio_spec_is_on(layer, MIO_PF_OPTION_PLAN))
		follow(layer, cache, request->name, planned);
	mio_stack_watch_pages(spec, i, cache, request);
	stack->top = cache;
	stack->has_cache = 1;
	mio_file_report_add(stack->report, target, inter, mio_pf_layer_file_source(cache));
	mio_file_report_add(stack->report, target, inter, mio_pf_layer_cache_source(cache));
	return 0;
}

/* Adds pf/auto, which may take pages if it is the only pf in the rule. */
static int add_auto(struct mio_stack *stack, const struct mio_stack_spec *spec, int i, const struct mio_open_request *request)
{
	const struct mio_layer_spec *layer = &spec->layers[i];
	const char *target = mio_spec_is_on(layer, MIO_PF_OPTION_STATS) ? layer->values[MIO_PF_OPTION_STATS].text : NULL;
	int inter = mio_spec_is_on(layer, MIO_PF_OPTION_INTER);
	struct mio_layer *before = stack->top;
	int rc;

	/* With mio/direct nothing is read through the kernel's page cache: hints would fill it in vain. */
	if (mio_spec_is_on(&spec->layers[0], MIO_MIO_OPTION_DIRECT))
		return 0;
	rc = push(stack, mio_pf_auto_make(layer, before, request));
	if (rc < 0 || stack->top == before)
		return rc;
	stack->hinting = stack->top;
	if (stack->automatic || stack->has_cache || !stack->attached || mio_stacks_has_cache(spec) ||
	    mio_spec_is_on(&spec->layers[0], MIO_MIO_OPTION_CIO)) {
		mio_pf_auto_stay(stack->top, NULL);
		mio_file_report_add(stack->report, target, inter, mio_pf_auto_source(stack->top));
		return 0;
	}
	stack->automatic = stack->top;
	stack->head.settled = mio_pf_auto_settled(stack->automatic);
	stack->spec = spec;
	stack->place = i;
	stack->request = *request;
	mio_file_report_add(stack->report, target, inter, mio_pf_auto_file_source(stack->top));
	mio_file_report_add(stack->report, target, inter, mio_pf_auto_cache_source(stack->top));
	mio_file_report_add(stack->report, target, inter, mio_pf_auto_source(stack->top));
	return 0;
}

static void decided(void *context, const char *what, const char *reason)
{
	struct mio_stack *stack = context;

	if (stack->recording)
		mio_trace_layer_decided(stack->recording, what, reason);
	if (stack->shown)
		mio_trace_layer_show_decision(stack->shown, what, reason);
}

/* Has what pf/auto does, and decides, recorded in events and shown to other processes. */
static void watch_auto(struct mio_stack *stack)
{
	if (stack->shown)
		mio_pf_auto_show(stack->hinting, mio_trace_layer_live(stack->shown));
	if (stack->shown || stack->recording)
		mio_pf_auto_watch(stack->hinting, decided, stack);
}

static int add_layer(struct mio_stack *stack, const struct mio_stack_spec *spec, int i,
		     const struct mio_open_request *request)
{
	const struct mio_layer_spec *layer = &spec->layers[i];
	const char *target;
	int rc;

	if (layer->kind == MIO_LAYER_PF)
		return add_auto(stack, spec, i, request);
	if (layer->kind == MIO_LAYER_RECOV)
		return push(stack, mio_recov_layer_make(layer, stack->top, request, mio_stack_output()));
	mio_live_reserve(mio_os_engine());
	target = mio_spec_is_on(layer, MIO_TRACE_OPTION_STATS) ? layer->values[MIO_TRACE_OPTION_STATS].text : NULL;
	rc = push(stack, mio_trace_layer_make(layer, stack->top, above(spec, i), request));
	if (rc == 0 && i == 1)
		stack->shown = stack->top;
	if (rc == 0 && mio_spec_is_on(layer, MIO_TRACE_OPTION_EVENTS))
		mio_trace_layer_record(stack->top, mio_trace_events_file(mio_stack_output(), layer),
				       (uint32_t)layer->values[MIO_TRACE_OPTION_EVENTS_SAMPLE].number, i, request);
	if (rc == 0 && mio_spec_is_on(layer, MIO_TRACE_OPTION_EVENTS))
		stack->recording = stack->top;
	if (rc == 0)
		mio_file_report_add(stack->report, target, mio_spec_is_on(layer, MIO_TRACE_OPTION_INTER),
				    mio_trace_layer_source(stack->top));
	return rc;
}

/*
 * The place of the layer above which the attached layer of an open without a cache goes. Without recov it is os; else the topmost recov, because a recov
 * above would take a failed write-behind that the attached layer reports for a failed write of its own. With pf/auto it is os in any case: the pages that
 * pf/auto takes are read through the layers below it, recov included.
 */
static int place_of_attached(const struct mio_stack_spec *spec)
{
	int last = spec->count - 1;
	int place = last;

	for (int i = last - 1; i > 0; i--) {
		if (spec->layers[i].kind == MIO_LAYER_RECOV)
			place = i;
		if (spec->layers[i].kind == MIO_LAYER_PF && !is_cache(&spec->layers[i]))
			return last;
	}
	return place;
}

static int attach(struct mio_stack *stack)
{
	int rc = push(stack, mio_pf_attached_make(stack->top, stack->file));

	stack->attached = rc == 0 ? stack->top : NULL;
	return rc;
}

/* Adds all layers above the last one, from below. */
static int add_layers(struct mio_stack *stack, const struct mio_stack_spec *spec,
		      const struct mio_open_request *request)
{
	struct mio_open_request below = *request;
	int cached = request->cacheable && mio_stacks_has_cache(spec);
	int place = cached ? 0 : place_of_attached(spec);
	struct planned planned = {.follows = -1};
	int rc = 0;

	if (cached && request->direct_pages)
		below.oflags |= O_DIRECT;
	if (place == spec->count - 1)
		rc = attach(stack);
	for (int i = spec->count - 2; i > 0 && rc == 0; i--) {
		const struct mio_layer_spec *layer = &spec->layers[i];

		if (is_cache(layer)) {
			if (!cached)
				continue;
			rc = add_cache(stack, spec, i, &below, &planned);
			/* Above the lowest cache only an open that the program made for direct I/O is direct. */
			below = *request;
			continue;
		}
		rc = add_layer(stack, spec, i, &below);
		if (rc == 0 && i == place)
			rc = attach(stack);
	}
	if (rc == 0 && stack->hinting)
		watch_auto(stack);
	if (rc == 0 && planned.follows >= 0)
		decided(stack, planned.follows ? "plan" : "no-plan", mio_text_string(&planned.words));
	mio_text_clear(&planned.words);
	return rc;
}

static void set_front(struct mio_stack *stack, const struct mio_stack_spec *spec, const struct mio_open_request *request,
		      const struct mio_os_own *own)
{
	const struct mio_layer_spec *front = &spec->layers[0];
	int direct = mio_spec_is_on(front, MIO_MIO_OPTION_DIRECT);

	stack->cio = mio_spec_is_on(front, MIO_MIO_OPTION_CIO);
	stack->gated = front->values[MIO_MIO_OPTION_CIO].typed || direct || mio_stacks_has_cache(spec);
	stack->may_rest = !stack->gated && stack->hinting && spec->count == 3;
	if (!stack->gated) {
		/* Of pf/auto alone, reads take the longer way, as the door lets them rest there; and a settled pf/auto has no use for writes. */
		stack->head.straight[0] = stack->may_rest ? NULL : stack->top;
		stack->head.straight[1] = stack->may_rest ? stack->top->next : stack->top;
	}
	stack->alignment_bytes = 1;
	stack->writes_ungated = !stack->gated && (request->oflags & O_ACCMODE) != O_RDONLY;
	if (stack->writes_ungated)
		mio_pf_file_ungated_writer(stack->file, 1);
	if (stack->cio)
		mio_pf_file_writes_meet(stack->file);
	if (stack->cio && (direct || request->cacheable))
		stack->alignment_bytes = own ? mio_os_own_alignment_bytes(own) : SECTOR_BYTES_LEAST;
}

/* Undoes what has been made so far. The program's descriptor stays open. */
static void give_up(struct mio_stack *stack)
{
	if (stack->top) {
		mio_stack_close(stack);
		return;
	}
	if (stack->file)
		mio_pf_file_leave(stack->file);
	if (stack->report)
		mio_file_report_close(stack->report);
	mio_memory_give(stack->name, stack->name_bytes);
	mio_memory_give(stack, sizeof(*stack));
}

/* Of an open that takes no pages later. */
static const _Atomic int settled = 1;

static struct mio_stack *make(struct mio_open_request *request)
{
	struct mio_stack *stack = mio_memory_take(sizeof(*stack));

	if (!stack)
		return NULL;
	stack->name_bytes = strlen(request->name) + 1;
	stack->name = mio_memory_take(stack->name_bytes);
	stack->file = mio_pf_file_enter(request->device, request->inode);
	stack->head.file = stack->file;
	stack->head.settled = &settled;
	stack->report = mio_file_report_make(mio_stack_output());
	if (!stack->name || !stack->file || !stack->report) {
		give_up(stack);
		return NULL;
	}
	memcpy(stack->name, request->name, stack->name_bytes);
	request->name = stack->name;
	return stack;
}

int mio_stack_open(const struct mio_stack_spec *rule, struct mio_open_request *request, struct mio_stack **made)
{
	const struct mio_stack_spec *spec = rule ? rule : mio_stack_unruled();
	struct mio_stack *stack = make(request);
	struct saying saying = {spec, request->name};
	struct mio_os_own *own = NULL;
	struct mio_os_wish wish;
	int rc;

	if (!stack)
		return -ENOMEM;
	if (request->cacheable && wish_of(spec, &wish)) {
		rc = mio_os_own_open(request->fd, request->oflags, request->name, &wish, say, &saying, &own);
		if (rc != 0)
			own = NULL;
		if (rc < 0)
			say(&saying, "no descriptor of MIO's own can be had; no cache");
	}
	if (request->is_device && mio_stacks_has_cache(spec))
		say(&saying, "a block device; no cache");
	request->cacheable = own != NULL;
	request->direct_pages = own && mio_os_own_is_direct(own);
	/* So that reports show the file as MIO uses it: for direct I/O. */
	if (request->direct_pages && mio_spec_is_on(&spec->layers[0], MIO_MIO_OPTION_DIRECT))
		request->oflags |= O_DIRECT;
	request->blind_pages = own && !mio_os_own_is_readable(own);
	if (last_of(spec)->values[MIO_OS_OPTION_SECTOR_SIZE].number > 0)
		request->sector_bytes = last_of(spec)->values[MIO_OS_OPTION_SECTOR_SIZE].number;
	stack->os = mio_os_layer_make(last_of(spec), request, own);
	if (!stack->os) {
		mio_os_own_close(own);
		give_up(stack);
		return -ENOMEM;
	}
	stack->top = stack->os;
	stack->is_own = own != NULL;
	if (mio_spec_is_on(last_of(spec), MIO_OS_OPTION_DEBUG)) {
		stack->debugs = last_of(spec)->typed_name;
		mio_stack_debug_os_open(stack->debugs, request,
					request->direct_pages && mio_stacks_has_cache(spec) ? request->oflags | O_DIRECT : request->oflags);
	}
	rc = add_layers(stack, spec, request);
	if (rc < 0) {
		give_up(stack);
		return rc;
	}
	set_front(stack, spec, request, own);
	if (rule)
		mio_stack_debug_open(spec, request->name);
	if (mio_file_report_has_inter(stack->report))
		mio_stack_has_inter();
	mio_file_report_open(stack->report);
	*made = stack;
	return 0;
}
