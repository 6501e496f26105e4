/* What a program adds to the rules through struct mio_extra. */
#include "capi.h"

#include <string.h>

#include "../common/memory.h"
#include "../door/door_begin.h"

/* A copy of a spec whose caches read pages before writes. Made once per spec and kept for good, as specs themselves are. */
struct filled {
	struct mio_stack_spec spec;
	const struct mio_stack_spec *of;
	struct filled *next;
};

static struct mio_lock lock;
static struct filled *all_filled;

static struct filled *make(const struct mio_stack_spec *spec)
{
	size_t bytes = (size_t)spec->count * sizeof(*spec->layers);
	struct filled *one = mio_memory_take(sizeof(*one));

	if (!one)
		return NULL;
	one->spec = *spec;
	one->of = spec;
	one->spec.layers = mio_memory_take(bytes);
	if (!one->spec.layers) {
		mio_memory_give(one, sizeof(*one));
		return NULL;
	}
	memcpy(one->spec.layers, spec->layers, bytes);
	for (int i = 0; i < spec->count; i++) {
		struct mio_layer_spec *layer = &one->spec.layers[i];

		if (layer->kind != MIO_LAYER_PF)
			continue;
		layer->values[MIO_PF_OPTION_PFFW].setting = MIO_SETTING_ON;
		layer->values[MIO_PF_OPTION_PFFW].typed = 1;
	}
	return one;
}

/* Without memory for the copy: the spec of the rule as it is. */
static const struct mio_stack_spec *with_fill(const struct mio_stack_spec *spec)
{
	struct filled *one;

	mio_lock_acquire(&lock);
	for (one = all_filled; one && one->of != spec; one = one->next)
		;
	if (!one) {
		one = make(spec);
		if (one) {
			one->next = all_filled;
			all_filled = one;
		}
	}
	mio_lock_release(&lock);
	return one ? &one->spec : spec;
}

void mio_capi_extra_forked(void)
{
	/*
	 * Another thread of the parent may hold the lock for ever. The list it guards is intact, except for an element that was
	 * just being added.
	 */
	memset(&lock, 0, sizeof(lock));
}

int mio_capi_choose(const char *name, const struct mio_extra *extra, const struct mio_stack_spec **spec)
{
	*spec = mio_stacks_match(name);
	if (!extra || extra->cookie != MIO_EXTRA_COOKIE)
		return 0;
	if (extra->modules && !mio_stacks_has_rule(name)) {
		struct mio_text error = {0};

		*spec = mio_stacks_parse(extra->modules, &error);
		if (!*spec) {
			/* One line only: its text gives the place of the mistake by number. */
			mio_text_cut(&error, strcspn(mio_text_string(&error), "\n"));
			mio_door_tell("libmio", "", mio_text_string(&error));
		}
		mio_text_clear(&error);
		if (!*spec)
			return -EINVAL;
	}
	if (*spec && extra->bufsiz > 1)
		*spec = with_fill(*spec);
	return 0;
}
