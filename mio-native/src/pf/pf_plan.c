#include "pf_plan.h"

#include <errno.h>
#include <string.h>

#include "../common/memory.h"

#define NONE MIO_PF_PLAN_NONE

/* Pages with a higher number than this are not planned. */
#define PAGE_MAX ((int64_t)INT32_MAX)

/* The part of a page that was read is noted in so many parts of the page. */
#define PARTS 256

/* Two parts of a page that are not farther apart than this are read together, bytes. */
#define TOGETHER_BYTES ((int64_t)16 << 10)

/* So many places are looked at ahead of the run's place, and so many behind it. */
#define WINDOW 64

/* A request at most so many places ahead of the run's place shows that the run follows the plan; one farther ahead does not. */
#define NEAR 8

/* Trust grows by one with each request that is NEAR ahead, up to TRUST_MAX, and falls by TRUST_LOST with each that is not near at all. */
#define TRUST_FIRST 4
#define TRUST_MAX 16
#define TRUST_LOST 2

/* So many requests must follow one another as in the plan before the run follows it again. */
#define FOUND_AGAIN 3

/* While the run does not follow the plan, only the first LOOKS of each LOOKS_OF requests are looked up in it: a look-up costs cache misses of the processor. */
#define LOOKS 8
#define LOOKS_OF 128

/* So many visits of one page are looked at to find the next one. */
#define HOPS 8

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- making a plan */

/* Appends a place, or only counts it as long as there is no memory yet. Returns its index. */
static int32_t append(struct mio_pf_plan *plan, int64_t page, int from, int to)
{
	if (plan->pages) {
		plan->pages[plan->count] = (uint32_t)page;
		plan->first[plan->count] = (uint8_t)from;
		plan->last[plan->count] = (uint8_t)to;
	}
	return plan->count++;
}

/* The last visit of an open: further reads near it belong to the same visit. */
struct visit {
	int32_t place;
	int64_t page;
	int first, last;
};

static int is_near(const struct mio_pf_plan *plan, const struct visit *visit, int64_t page, int from, int to)
{
	int gap = 1 + (int)(PARTS * TOGETHER_BYTES / plan->page_bytes);

	return visit->place != NONE && visit->page == page && from <= visit->last + gap && to + gap >= visit->first;
}

static void widen(struct mio_pf_plan *plan, struct visit *visit, int from, int to)
{
	visit->first = from < visit->first ? from : visit->first;
	visit->last = to > visit->last ? to : visit->last;
	if (plan->pages) {
		plan->first[visit->place] = (uint8_t)visit->first;
		plan->last[visit->place] = (uint8_t)visit->last;
	}
}

static void add(struct mio_pf_plan *plan, const struct mio_pf_planned_read *read, struct visit *visit)
{
	int64_t bytes = plan->page_bytes;
	int64_t end = read->offset + read->length;

	for (int64_t page = read->offset / bytes; page * bytes < end && page <= PAGE_MAX; page++) {
		int64_t start = page * bytes;
		int from = (int)((most(read->offset, start) - start) * PARTS / bytes);
		int to = (int)((least(end, start + bytes) - 1 - start) * PARTS / bytes);

		if (is_near(plan, visit, page, from, to)) {
			widen(plan, visit, from, to);
			continue;
		}
		if (plan->count == MIO_PF_PLAN_PLACES_MAX)
			return;
		*visit = (struct visit){append(plan, page, from, to), page, from, to};
	}
}

static int add_all(struct mio_pf_plan *plan, const struct mio_pf_planned_read *reads, size_t count, uint32_t channels)
{
	size_t bytes = ((size_t)channels + 1) * sizeof(struct visit);
	struct visit *visits = mio_memory_take(bytes);

	if (!visits)
		return -ENOMEM;
	for (size_t i = 0; i < channels; i++)
		visits[i].place = NONE;
	plan->count = 0;
	for (size_t i = 0; i < count; i++)
		add(plan, &reads[i], &visits[reads[i].channel]);
	mio_memory_give(visits, bytes);
	return 0;
}

/* The slot of the table that has this page, or the free slot for it. */
static int32_t *slot_of(const struct mio_pf_plan *plan, uint32_t page)
{
	uint32_t mixed = page * 0x9E3779B1U;
	size_t slot = (mixed ^ mixed >> 15) & (plan->head_count - 1);

	while (plan->heads[slot] != NONE && plan->pages[plan->heads[slot]] != page)
		slot = (slot + 1) & (plan->head_count - 1);
	return &plan->heads[slot];
}

static int take_memory(struct mio_pf_plan *plan)
{
	size_t room = (size_t)plan->count + 1;

	plan->room = plan->count + 1;
	plan->head_count = 16;
	while (plan->head_count <= room + room / 2)
		plan->head_count *= 2;
	plan->pages = mio_memory_take(room * sizeof(*plan->pages));
	plan->first = mio_memory_take(room);
	plan->last = mio_memory_take(room);
	plan->next = mio_memory_take(room * sizeof(*plan->next));
	plan->heads = mio_memory_take(plan->head_count * sizeof(*plan->heads));
	return plan->pages && plan->first && plan->last && plan->next && plan->heads;
}

int mio_pf_plan_begin(struct mio_pf_plan *plan, const struct mio_pf_planned_read *reads, size_t count, uint32_t channels,
		      int64_t page_bytes)
{
	memset(plan, 0, sizeof(*plan));
	plan->page_bytes = page_bytes;
	plan->is_on = 1;
	plan->trust = TRUST_FIRST;
	/* The first pass only counts the places. */
	if (add_all(plan, reads, count, channels) < 0 || !take_memory(plan) ||
	    add_all(plan, reads, count, channels) < 0) {
		mio_pf_plan_end(plan);
		return -ENOMEM;
	}
	memset(plan->heads, 0xFF, plan->head_count * sizeof(*plan->heads));
	for (int32_t place = plan->count - 1; place >= 0; place--) {
		int32_t *head = slot_of(plan, plan->pages[place]);

		plan->next[place] = *head;
		*head = place;
	}
	return 0;
}

void mio_pf_plan_end(struct mio_pf_plan *plan)
{
	size_t room = (size_t)plan->room;

	mio_memory_give(plan->pages, room * sizeof(*plan->pages));
	mio_memory_give(plan->first, room);
	mio_memory_give(plan->last, room);
	mio_memory_give(plan->next, room * sizeof(*plan->next));
	mio_memory_give(plan->heads, plan->head_count * sizeof(*plan->heads));
	memset(plan, 0, sizeof(*plan));
}

/* ---- following a plan */

/* The last place of the page up to the run's place, if it is among the WINDOW last ones; or NONE. */
static int32_t behind(const struct mio_pf_plan *plan, int64_t page)
{
	int32_t end = plan->cursor > WINDOW ? plan->cursor - WINDOW : 0;

	for (int32_t place = plan->cursor - 1; place >= end; place--)
		if (plan->pages[place] == page)
			return place;
	return NONE;
}

/* The first place of the page from `from` on, before `to`; or NONE. */
static int32_t between(const struct mio_pf_plan *plan, int32_t from, int32_t to, int64_t page)
{
	int32_t end = to < plan->count ? to : plan->count;

	for (int32_t place = from; place < end; place++)
		if (plan->pages[place] == page)
			return place;
	return NONE;
}

/* The place of the page that is nearest to the run's place, ahead or behind, or NONE. */
static int32_t find(const struct mio_pf_plan *plan, int64_t page)
{
	for (int32_t away = 0; away < WINDOW; away++) {
		int32_t front = plan->cursor + away;
		int32_t back = plan->cursor - 1 - away;

		if (front < plan->count && plan->pages[front] == page)
			return front;
		if (back >= 0 && plan->pages[back] == page)
			return back;
	}
	return NONE;
}

/* The run is trusted as before: requests that were not near until now count no more. */
static void forget_stray(struct mio_pf_plan *plan)
{
	plan->stray = 0;
	plan->stray_of = 0;
}

/* 1 if the page is near the run's place, which moves there if it is ahead. Otherwise trust falls, and the run may leave the plan. */
static int goes_on(struct mio_pf_plan *plan, int64_t page)
{
	int32_t place = find(plan, page);

	plan->stray_of++;
	if (place == NONE) {
		plan->stray++;
		plan->trust -= TRUST_LOST;
		plan->is_on = plan->trust > 0;
		plan->left += !plan->is_on;
		plan->strangers = 0;
		return 0;
	}
	plan->matched = 0;
	if (place >= plan->cursor) {
		if (place - plan->cursor < NEAR && plan->trust < TRUST_MAX)
			plan->trust++;
		plan->cursor = place + 1;
	}
	if (plan->trust == TRUST_MAX)
		forget_stray(plan);
	return 1;
}

/* The first visit of the page, from the visit `place` on, that is not behind the run; NONE if there is none within HOPS visits. */
static int32_t later_than(const struct mio_pf_plan *plan, int32_t place)
{
	for (int hop = 0; place != NONE && place < plan->cursor; hop++) {
		if (hop == HOPS)
			return NONE;
		place = plan->next[place];
	}
	return place;
}

/* Looks for the run in all of the plan. 1 once FOUND_AGAIN requests in a row followed one another as in the plan: the run follows it again from there. */
static int is_found_again(struct mio_pf_plan *plan, int64_t page)
{
	int32_t place;

	if (plan->strangers++ % LOOKS_OF >= LOOKS && plan->matched < 2) {
		plan->matched = 0;
		return 0;
	}
	place = plan->matched ? between(plan, plan->expected, plan->expected + NEAR, page) : NONE;
	if (place != NONE) {
		plan->matched++;
	} else {
		int32_t head = *slot_of(plan, (uint32_t)page);
		int32_t later = later_than(plan, head);

		place = later == NONE ? head : later;
		plan->matched = place != NONE;
	}
	plan->expected = place + 1;
	if (plan->matched < FOUND_AGAIN)
		return 0;
	plan->is_on = 1;
	plan->trust = TRUST_FIRST;
	plan->cursor = plan->expected;
	plan->ahead = plan->expected;
	forget_stray(plan);
	return 1;
}

void mio_pf_plan_count_anew(struct mio_pf_plan *plan)
{
	plan->requests = 0;
	plan->followed = 0;
	plan->left = 0;
}

int mio_pf_plan_follow(struct mio_pf_plan *plan, int64_t offset, int64_t length)
{
	int64_t page = offset / plan->page_bytes;
	int64_t end = (offset + length - 1) / plan->page_bytes;
	int follows;

	plan->requests++;
	if (end > PAGE_MAX)
		return 0;
	follows = (plan->is_on && goes_on(plan, page)) || is_found_again(plan, page);
	plan->followed += follows;
	while (++page <= end) {
		if (follows)
			plan->cursor = (int32_t)most(plan->cursor, find(plan, page) + 1);
		else if (plan->expected < plan->count && plan->pages[plan->expected] == page)
			plan->expected++;
	}
	return follows;
}

int32_t mio_pf_plan_ahead(struct mio_pf_plan *plan, int64_t places)
{
	plan->ahead = (int32_t)most(plan->ahead, plan->cursor);
	return plan->ahead < least(plan->count, plan->cursor + places) ? plan->ahead : NONE;
}

void mio_pf_plan_taken(struct mio_pf_plan *plan)
{
	plan->ahead++;
}

void mio_pf_plan_rewind(struct mio_pf_plan *plan)
{
	plan->ahead = plan->cursor;
}

int64_t mio_pf_plan_page(const struct mio_pf_plan *plan, int32_t place)
{
	return plan->pages[place];
}

int64_t mio_pf_plan_from(const struct mio_pf_plan *plan, int32_t place)
{
	return plan->pages[place] * plan->page_bytes + plan->page_bytes / PARTS * plan->first[place];
}

int64_t mio_pf_plan_to(const struct mio_pf_plan *plan, int32_t place)
{
	return plan->pages[place] * plan->page_bytes + plan->page_bytes / PARTS * (plan->last[place] + 1);
}

int64_t mio_pf_plan_wanted_to(const struct mio_pf_plan *plan, int64_t page)
{
	int32_t place = plan->is_on ? behind(plan, page) : NONE;

	return place == NONE ? 0 : mio_pf_plan_to(plan, place);
}

int mio_pf_plan_is_soon(const struct mio_pf_plan *plan, int64_t page, int64_t places)
{
	int32_t place = behind(plan, page);
	int32_t later;

	if (place == NONE)
		return 1;
	later = later_than(plan, plan->next[place]);
	return later != NONE && later - plan->cursor < places;
}
