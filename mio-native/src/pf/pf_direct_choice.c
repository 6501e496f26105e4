#include "pf_direct_choice.h"

#define MIB ((int64_t)1 << 20)

/* Most memory for pages of all opens of the process together, bytes. */
#define TOTAL_MOST (512 * MIB)

int64_t mio_pf_direct_seen(struct mio_pf_direct_choice *choice, int64_t moved, int64_t at)
{
	if (moved == 0 || choice->state != MIO_PF_DIRECT_LOOKING)
		return -1;
	choice->run += moved < 0 ? -moved : moved;
	if (choice->run < MIO_PF_DIRECT_STEP_BYTES)
		return -1;
	choice->run = 0;
	choice->asked = moved > 0 ? at + MIO_PF_DIRECT_AHEAD_BYTES
				  : at - MIO_PF_DIRECT_AHEAD_BYTES - MIO_PF_DIRECT_ASKED_BYTES;
	return choice->asked < 0 ? -1 : choice->asked;
}

enum mio_pf_direct_state mio_pf_direct_answer(struct mio_pf_direct_choice *choice, int64_t size, int64_t room, int there)
{
	if (choice->state != MIO_PF_DIRECT_LOOKING)
		return choice->state;
	if (!mio_pf_direct_is_beyond(size, room)) {
		choice->cold = 0;
		return choice->state;
	}
	/* An answer about bytes behind the end of the file says nothing. */
	if (choice->asked > size - MIO_PF_DIRECT_ASKED_BYTES)
		return choice->state;
	choice->cold = there == 0 ? choice->cold + 1 : 0;
	if (choice->cold >= MIO_PF_DIRECT_NEEDED) {
		choice->state = MIO_PF_DIRECT_CHOSEN;
		choice->size = size;
		choice->room = room;
	}
	return choice->state;
}

int mio_pf_direct_may_decide(const struct mio_pf_direct_choice *choice)
{
	return choice->cold + 1 >= MIO_PF_DIRECT_NEEDED;
}

int mio_pf_direct_is_beyond(int64_t size, int64_t room)
{
	return size >= MIO_PF_DIRECT_SIZE_LEAST && room >= 0 && size / 2 >= room;
}

int64_t mio_pf_direct_cache_bytes(int64_t room, int64_t used)
{
	int64_t total = room / 4 < TOTAL_MOST ? room / 4 : TOTAL_MOST;
	int64_t left = total - used;
	int64_t half = left / 2 / MIB * MIB;

	if (left < MIO_PF_DIRECT_CACHE_LEAST)
		return 0;
	if (half < MIO_PF_DIRECT_CACHE_LEAST)
		return MIO_PF_DIRECT_CACHE_LEAST;
	return half < MIO_PF_DIRECT_CACHE_MOST ? half : MIO_PF_DIRECT_CACHE_MOST;
}

int mio_pf_direct_is_worth(int64_t bytes, int64_t page_bytes)
{
	return page_bytes / 2 <= bytes;
}

int mio_pf_direct_may_keep(int64_t room, int64_t cache_bytes, int64_t touched_bytes)
{
	return room < 0 || room >= cache_bytes + (touched_bytes < cache_bytes ? cache_bytes - touched_bytes : 0);
}

int mio_pf_direct_fits(int64_t size, int64_t room)
{
	return size <= room;
}

void mio_pf_direct_reason(const struct mio_pf_direct_choice *choice, struct mio_text *text)
{
	mio_text_add(text, "the file (");
	mio_text_add_number(text, choice->size / MIB);
	mio_text_add(text, " MiB) is more than twice the memory that could keep it (");
	mio_text_add_number(text, choice->room / MIB);
	mio_text_add(text, " MiB), and ");
	mio_text_add_number(text, (int64_t)MIO_PF_DIRECT_NEEDED * MIO_PF_DIRECT_STEP_BYTES / MIB);
	mio_text_add(text, " MiB of it in a row were not there");
}
