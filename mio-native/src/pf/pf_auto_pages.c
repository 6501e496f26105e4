/* Decides when pf/auto wants pages, and uses them. The stack, which fulfils the wish, makes the layers that they need. */
#include "pf_auto_layer.h"

#include <errno.h>

#include "../common/clock.h"
#include "../os/os_kernel_cache.h"
#include "pf_layer.h"

/*
 * Small pages have the options cache=1m/page=64k/pref=1/synchronous/through/private, except that the cache may grow. Pages read by direct I/O have
 * page=1m/direct/through/private.
 */
#define CACHE_BYTES ((int64_t)1 << 20)
#define CACHE_MOST_BYTES ((int64_t)32 << 20)
#define PAGE_BYTES ((int64_t)64 << 10)

static struct mio_pf_auto *of(struct mio_layer *layer)
{
	return (struct mio_pf_auto *)(void *)layer;
}

static const struct mio_pf_auto *of_const(const struct mio_layer *layer)
{
	return (const struct mio_pf_auto *)(const void *)layer;
}

/* ---- the choice */

static void want(struct mio_pf_auto *automatic, enum mio_pf_auto_wish wish)
{
	atomic_store_explicit(&automatic->wish, wish, memory_order_release);
}

static void add_reason(const struct mio_pf_auto *automatic, int wish, struct mio_text *text)
{
	if (wish == MIO_PF_AUTO_TAKE_DIRECT)
		mio_pf_direct_reason(&automatic->direct, text);
	else
		mio_pf_choice_reason(&automatic->choice, text);
}

/* 1 if small pages are chosen, and are neither there nor wished for yet. */
static int are_wanted(const struct mio_pf_auto *automatic)
{
	return automatic->choice.state == MIO_PF_CHOICE_PAGES && !mio_pf_auto_pages(automatic) &&
	       atomic_load_explicit(&automatic->wish, memory_order_relaxed) == MIO_PF_AUTO_NOTHING;
}

/* The requests of the open are not for small pages: the choice is made. */
static void choose_none(struct mio_pf_auto *automatic)
{
	struct mio_text reason = {0};

	if (atomic_exchange_explicit(&automatic->chosen, 1, memory_order_acq_rel))
		return;
	mio_pf_choice_reason(&automatic->choice, &reason);
	mio_pf_auto_log_pages(&automatic->log, 0, mio_text_string(&reason));
	mio_text_clear(&reason);
}

/* The open has no pages and never will. why: the reason, apart from the kind of its requests. */
static void settle(struct mio_pf_auto *automatic, const char *why)
{
	int wish = atomic_load_explicit(&automatic->wish, memory_order_acquire);
	int has_chosen = atomic_exchange_explicit(&automatic->chosen, 1, memory_order_acq_rel);
	struct mio_text reason = {0};

	if (atomic_exchange_explicit(&automatic->settled, 1, memory_order_acq_rel))
		return;
	/* The log already says that there are no pages. */
	if (has_chosen && wish == MIO_PF_AUTO_NOTHING)
		return;
	mio_text_add(&reason, why);
	if (wish != MIO_PF_AUTO_NOTHING) {
		mio_text_add(&reason, ", though ");
		add_reason(automatic, wish, &reason);
	}
	mio_pf_auto_log_pages(&automatic->log, 0, mio_text_string(&reason));
	mio_text_clear(&reason);
}

/* Shows a request to the choice of small pages. Under choosing. waits: the thread may wait for one byte of the request. */
static void see(struct mio_pf_auto *automatic, int write, int64_t offset, int64_t length, int waits)
{
	struct mio_pf_choice *choice = &automatic->choice;

	if (write) {
		mio_pf_choice_wrote(choice);
	} else {
		if (!automatic->knows_fit && mio_pf_choice_asks(choice, length)) {
			automatic->knows_fit = 1;
			if (mio_pf_auto_does_not_fit(automatic))
				mio_pf_choice_smaller(choice);
		}
		if (mio_pf_choice_seen(choice, offset, length) == MIO_PF_CHOICE_PAGES)
			mio_pf_choice_costs(choice, mio_os_kernel_cache_call_ns(waits ? mio_pf_auto_fd(automatic) : -1, offset));
	}
	if (choice->state == MIO_PF_CHOICE_KERNEL)
		choose_none(automatic);
}

void mio_pf_auto_choose(struct mio_pf_auto *automatic, int write, int64_t offset, int64_t length, int waits)
{
	if (atomic_flag_test_and_set_explicit(&automatic->choosing, memory_order_acquire))
		return;
	if (automatic->choice.state == MIO_PF_CHOICE_LOOKING &&
	    !atomic_load_explicit(&automatic->chosen, memory_order_relaxed))
		see(automatic, write, offset, length, waits);
	if (are_wanted(automatic) && mio_pf_auto_is_calm(automatic, NULL))
		want(automatic, MIO_PF_AUTO_TAKE);
	atomic_flag_clear_explicit(&automatic->choosing, memory_order_release);
}

const _Atomic int *mio_pf_auto_wish(const struct mio_layer *layer)
{
	return &of_const(layer)->wish;
}

const _Atomic int *mio_pf_auto_settled(const struct mio_layer *layer)
{
	return &of_const(layer)->settled;
}

void mio_pf_auto_stay(struct mio_layer *layer, const char *why)
{
	struct mio_pf_auto *automatic = of(layer);

	if (mio_pf_auto_pages(automatic))
		return;
	if (why)
		settle(automatic, why);
	atomic_store_explicit(&automatic->chosen, 1, memory_order_release);
	atomic_store_explicit(&automatic->settled, 1, memory_order_release);
	want(automatic, MIO_PF_AUTO_NOTHING);
}

void mio_pf_auto_reason(const struct mio_layer *layer, struct mio_text *text)
{
	int past = mio_pf_auto_is_past(of_const(layer));

	mio_text_add(text, "pages of ");
	mio_text_add_number(text, (past ? MIO_PF_DIRECT_PAGE_BYTES : PAGE_BYTES) >> 10);
	mio_text_add(text, past ? " KiB past the kernel's cache: " : " KiB: ");
	add_reason(of_const(layer), past ? MIO_PF_AUTO_TAKE_DIRECT : MIO_PF_AUTO_TAKE, text);
}

/* ---- the pages */

static void set(struct mio_layer_spec *spec, int option, enum mio_setting setting, int64_t number, int64_t second)
{
	spec->values[option] = (struct mio_option_value){.setting = setting, .number = number, .second = second, .text = ""};
}

void mio_pf_auto_pages_spec(const struct mio_layer_spec *spec, int64_t direct_bytes, int64_t file_bytes, struct mio_layer_spec *pages)
{
	static const int off[] = {
		MIO_PF_OPTION_PFFW, MIO_PF_OPTION_GLOBAL, MIO_PF_OPTION_ASYNCHRONOUS, MIO_PF_OPTION_DIRECT,
		MIO_PF_OPTION_RETAIN, MIO_PF_OPTION_LISTIO, MIO_PF_OPTION_SCRATCH, MIO_PF_OPTION_BEHIND,
		MIO_PF_OPTION_UNCACHED, MIO_PF_OPTION_AUTO, MIO_PF_OPTION_PLAN,
	};

	*pages = *spec;
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		set(pages, off[i], MIO_SETTING_OFF, -1, -1);
	set(pages, MIO_PF_OPTION_RELEASE, MIO_SETTING_ON, -1, -1);
	set(pages, MIO_PF_OPTION_CACHE_SIZE, MIO_SETTING_ON, direct_bytes ? direct_bytes : CACHE_BYTES,
	    direct_bytes ? -1 : CACHE_MOST_BYTES);
	set(pages, MIO_PF_OPTION_PAGE_SIZE, MIO_SETTING_ON, direct_bytes ? MIO_PF_DIRECT_PAGE_BYTES : PAGE_BYTES, -1);
	/* Direct pages have an automatic distance, small ones read one page ahead. */
	set(pages, MIO_PF_OPTION_PREFETCH, MIO_SETTING_ON, direct_bytes ? 0 : 1, direct_bytes ? 0 : 1);
	set(pages, MIO_PF_OPTION_STRIDE, MIO_SETTING_ON, 1, -1);
	set(pages, MIO_PF_OPTION_PASSTHRU, MIO_SETTING_ON, 0, 0);
	set(pages, MIO_PF_OPTION_DISCOVERED_DIRECT, MIO_SETTING_ON, 0, -1);
	/* For direct pages: the file is far larger than these, and may be read over and over. */
	set(pages, MIO_PF_OPTION_REPLACE, MIO_SETTING_ON, direct_bytes ? file_bytes : -1, -1);
	pages->values[MIO_PF_OPTION_REPLACE].text = "auto";
	if (direct_bytes) {
		set(pages, MIO_PF_OPTION_ASYNCHRONOUS, MIO_SETTING_ON, -1, -1);
		set(pages, MIO_PF_OPTION_DIRECT, MIO_SETTING_ON, -1, -1);
	}
}

struct mio_layer *mio_pf_auto_below(struct mio_layer *layer)
{
	return &of(layer)->below;
}

void mio_pf_auto_take(struct mio_layer *layer, struct mio_layer *pages, int64_t direct_bytes)
{
	struct mio_pf_auto *automatic = of(layer);
	struct mio_text reason = {0};

	mio_clock_ticks_begin();
	automatic->past_bytes = direct_bytes;
	atomic_store(&automatic->due_bytes, MIO_PF_DIRECT_FILL_BYTES);
	want(automatic, MIO_PF_AUTO_NOTHING);
	atomic_store(&automatic->chosen, 1);
	atomic_store(&automatic->made, pages);
	atomic_store_explicit(&automatic->pages, pages, memory_order_release);
	mio_text_add(&reason, mio_pf_auto_is_past(automatic) ? "past the kernel's cache: " : "");
	add_reason(automatic, mio_pf_auto_is_past(automatic) ? MIO_PF_AUTO_TAKE_DIRECT : MIO_PF_AUTO_TAKE, &reason);
	mio_pf_auto_log_pages(&automatic->log, 1, mio_text_string(&reason));
	mio_text_clear(&reason);
}

int mio_pf_auto_give(struct mio_layer *layer, const char *why)
{
	struct mio_pf_auto *automatic = of(layer);
	struct mio_layer *pages = atomic_exchange(&automatic->pages, NULL);

	if (pages && why)
		mio_pf_auto_give_up(automatic, why);
	want(automatic, MIO_PF_AUTO_NOTHING);
	atomic_store_explicit(&automatic->settled, 1, memory_order_release);
	return pages ? pages->ops->close(pages) : 0;
}

static void grow(struct mio_pf_auto *automatic, int64_t reads, int64_t page_reads)
{
	struct mio_text reason = {0};
	int64_t frames = mio_pf_layer_grow(mio_pf_auto_pages(automatic), &automatic->growth, reads, page_reads);

	/* It may also be wished already that the pages be given up. */
	if (!frames || atomic_load(&automatic->wish) != MIO_PF_AUTO_NOTHING)
		return;
	mio_text_add_number(&reason, frames);
	mio_text_add(&reason, " of ");
	mio_text_add_number(&reason, PAGE_BYTES >> 10);
	mio_text_add(&reason, " KiB: the program came back to pages that had given way");
	mio_pf_auto_log_pages(&automatic->log, 1, mio_text_string(&reason));
	mio_text_clear(&reason);
}

int mio_pf_auto_is_kept_from(const struct mio_pf_auto *automatic)
{
	const struct mio_layer *pages = mio_pf_auto_pages(automatic);

	return pages && mio_pf_layer_is_past(pages);
}

/* 1 if enough requests or page reads were counted to look at the pages, or nothing may be kept in them. */
static int is_due(const struct mio_pf_auto *automatic)
{
	if (mio_pf_auto_is_kept_from(automatic))
		return 1;
	if (mio_pf_auto_is_past(automatic))
		return mio_pf_auto_past_is_due(automatic);
	return atomic_load_explicit(&automatic->reads, memory_order_relaxed) >= MIO_PF_AUTO_READS ||
	       !mio_pf_choice_is_worth(MIO_PF_AUTO_READS, atomic_load_explicit(&automatic->page_reads, memory_order_relaxed));
}

/* Judges small pages, and clears the counts. 1 if they should be given up; why gets the reason in words. */
static int are_over(struct mio_pf_auto *automatic, struct mio_text *why)
{
	int64_t page_reads = atomic_exchange_explicit(&automatic->page_reads, 0, memory_order_relaxed);
	int64_t reads = atomic_exchange_explicit(&automatic->reads, 0, memory_order_relaxed);

	if (mio_pf_choice_is_worth(reads, page_reads)) {
		grow(automatic, reads, page_reads);
		return 0;
	}
	mio_text_add(why, "no longer near each other: ");
	mio_text_add_number(why, reads);
	mio_text_add(why, " requests took ");
	mio_text_add_number(why, page_reads);
	mio_text_add(why, " page reads");
	return 1;
}

int mio_pf_auto_gives(const struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->wish, memory_order_acquire) == MIO_PF_AUTO_GIVE;
}

void mio_pf_auto_give_up(struct mio_pf_auto *automatic, const char *why)
{
	int none = MIO_PF_AUTO_NOTHING;

	if (atomic_compare_exchange_strong(&automatic->wish, &none, MIO_PF_AUTO_GIVE))
		mio_pf_auto_log_pages(&automatic->log, 0, why);
}

static void judge(struct mio_pf_auto *automatic)
{
	struct mio_text why = {0};
	int over;

	if (mio_pf_auto_is_kept_from(automatic)) {
		mio_pf_auto_give_up(automatic, "others write the file past MIO, or have it mapped");
		return;
	}
	over = mio_pf_auto_is_past(automatic) ? mio_pf_auto_past_is_over(automatic, &why) : are_over(automatic, &why);
	if (over)
		mio_pf_auto_give_up(automatic, mio_text_string(&why));
	mio_text_clear(&why);
}

void mio_pf_auto_look_at_pages(struct mio_pf_auto *automatic)
{
	/* If several threads come at once, one looks; the others have nothing left to do. */
	if (atomic_flag_test_and_set_explicit(&automatic->choosing, memory_order_acquire))
		return;
	if (is_due(automatic))
		judge(automatic);
	atomic_flag_clear_explicit(&automatic->choosing, memory_order_release);
}

/* ---- reports, which may be asked for at any time, also after the pages were given up */

static void add_block(struct mio_stats_source source, enum mio_stats_event event, int json, struct mio_text *text)
{
	source.block(source.context, event, json, text);
}

static void add_file_block(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	struct mio_layer *made = atomic_load(&((struct mio_pf_auto *)context)->made);

	if (made)
		add_block(mio_pf_layer_file_source(made), event, json, text);
}

static void add_cache_block(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	struct mio_layer *made = atomic_load(&((struct mio_pf_auto *)context)->made);

	if (made)
		add_block(mio_pf_layer_cache_source(made), event, json, text);
}

static void add_auto_block(void *context, enum mio_stats_event event, int json, struct mio_text *text)
{
	mio_pf_auto_log_block(&((struct mio_pf_auto *)context)->log, event, json, text);
}

/* 0 if no request was looked at: there is nothing to report. */
static int has_decided(void *context)
{
	struct mio_pf_auto_log *log = &((struct mio_pf_auto *)context)->log;

	return atomic_load(&log->looks) > 0 || atomic_load(&log->decided) > 0;
}

struct mio_stats_source mio_pf_auto_source(struct mio_layer *layer)
{
	return (struct mio_stats_source){add_auto_block, of(layer), has_decided};
}

struct mio_stats_source mio_pf_auto_file_source(struct mio_layer *layer)
{
	return (struct mio_stats_source){add_file_block, of(layer), NULL};
}

struct mio_stats_source mio_pf_auto_cache_source(struct mio_layer *layer)
{
	return (struct mio_stats_source){add_cache_block, of(layer), NULL};
}
