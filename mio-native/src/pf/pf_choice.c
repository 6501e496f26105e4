#include "pf_choice.h"

#include <string.h>

#define NONE (-1)

/* A page read takes as long as so many small requests of the program. */
#define WORTH 12

void mio_pf_choice_begin(struct mio_pf_choice *choice, int smaller)
{
	memset(choice, 0, sizeof(*choice));
	choice->small_bytes = smaller ? MIO_PF_CHOICE_SMALLER_BYTES : MIO_PF_CHOICE_SMALL_BYTES;
}

/* Index of the remembered request that this one is nearest to, if it is near; else NONE. */
static int near_to(const struct mio_pf_choice *choice, int64_t start, int64_t end)
{
	int64_t least = MIO_PF_CHOICE_STEP_BYTES + 1;
	int found = NONE;

	for (int i = 0; i < choice->places; i++) {
		int64_t behind = start - choice->ends[i];
		int64_t before = choice->starts[i] - end;
		int64_t distance = behind > before ? behind : before;

		if (distance < 0)
			distance = 0;
		if (distance < least) {
			least = distance;
			found = i;
		}
	}
	return found;
}

/* Remembers the request in place of the one that it is near to, or else of the oldest one. */
static void keep(struct mio_pf_choice *choice, int near, int64_t start, int64_t end)
{
	if (near == NONE) {
		near = choice->oldest;
		choice->oldest = (choice->oldest + 1) % MIO_PF_CHOICE_PLACES;
		if (choice->places < MIO_PF_CHOICE_PLACES)
			choice->places++;
	}
	choice->starts[near] = start;
	choice->ends[near] = end;
}

static int is_enough(const struct mio_pf_choice *choice)
{
	return choice->near * 4 >= MIO_PF_CHOICE_REQUESTS * 3;
}

/* Counts one more request, and decides at the end of a group. Returns the state after it. */
static enum mio_pf_choice_state counted(struct mio_pf_choice *choice)
{
	if (++choice->requests < MIO_PF_CHOICE_REQUESTS)
		return choice->state;
	choice->looks++;
	if (is_enough(choice)) {
		choice->state = MIO_PF_CHOICE_PAGES;
	} else if (choice->small * 4 < MIO_PF_CHOICE_REQUESTS || choice->looks == MIO_PF_CHOICE_LOOKS) {
		choice->state = MIO_PF_CHOICE_KERNEL;
	} else {
		choice->requests = 0;
		choice->small = 0;
		choice->near = 0;
	}
	return choice->state;
}

enum mio_pf_choice_state mio_pf_choice_seen(struct mio_pf_choice *choice, int64_t offset, int64_t length)
{
	int near;

	if (choice->state != MIO_PF_CHOICE_LOOKING)
		return choice->state;
	near = near_to(choice, offset, offset + length);
	if (length <= choice->small_bytes) {
		choice->small++;
		choice->near += near != NONE;
		if (length > choice->largest)
			choice->largest = length;
	}
	keep(choice, near, offset, offset + length);
	return counted(choice);
}

enum mio_pf_choice_state mio_pf_choice_wrote(struct mio_pf_choice *choice)
{
	int waits = choice->requests == MIO_PF_CHOICE_REQUESTS - 1 && is_enough(choice);

	return choice->state == MIO_PF_CHOICE_LOOKING && !waits ? counted(choice) : choice->state;
}

int mio_pf_choice_asks(const struct mio_pf_choice *choice, int64_t length)
{
	return length > MIO_PF_CHOICE_SMALLER_BYTES && length <= choice->small_bytes;
}

void mio_pf_choice_smaller(struct mio_pf_choice *choice)
{
	choice->small_bytes = MIO_PF_CHOICE_SMALLER_BYTES;
}

void mio_pf_choice_costs(struct mio_pf_choice *choice, int64_t call_ns)
{
	if (choice->state == MIO_PF_CHOICE_PAGES && call_ns >= 0 &&
	    call_ns < MIO_PF_CHOICE_PAGES_NS + choice->largest / MIO_PF_CHOICE_PAGES_BYTES) {
		choice->state = MIO_PF_CHOICE_KERNEL;
		choice->call_ns = call_ns;
	}
}

void mio_pf_choice_reason(const struct mio_pf_choice *choice, struct mio_text *text)
{
	if (!is_enough(choice))
		mio_text_add(text, "only ");
	mio_text_add_number(text, choice->near);
	mio_text_add(text, " of ");
	mio_text_add_number(text, choice->requests);
	mio_text_add(text, " requests were small ");
	if (is_enough(choice)) {
		mio_text_add(text, "(at most ");
		mio_text_add_number(text, choice->largest);
		mio_text_add(text, " bytes) ");
	}
	mio_text_add(text, "and near each other");
	if (choice->call_ns) {
		mio_text_add(text, ", but the kernel takes only ");
		mio_text_add_number(text, choice->call_ns);
		mio_text_add(text, " ns for a call: they would not gain by pages");
	}
}

int mio_pf_choice_is_worth(int64_t requests, int64_t page_reads)
{
	return page_reads * WORTH <= requests;
}
