#include "pf_sharers.h"

#include <stddef.h>

/* A share that was not used for so many rounds no longer counts, as for the streams of one file. */
#define ROUNDS 16

/* A round is one use for each share, but at least so many uses. */
#define ROUND_LEAST 16

static void take_out(struct mio_pf_sharers *sharers, struct mio_pf_share *share)
{
	*(share->older ? &share->older->younger : &sharers->oldest) = share->younger;
	*(share->younger ? &share->younger->older : &sharers->youngest) = share->older;
	share->older = NULL;
	share->younger = NULL;
	share->used_at = 0;
	sharers->count--;
}

static void put_last(struct mio_pf_sharers *sharers, struct mio_pf_share *share)
{
	share->older = sharers->youngest;
	*(sharers->youngest ? &sharers->youngest->younger : &sharers->oldest) = share;
	sharers->youngest = share;
	share->used_at = sharers->clock;
	sharers->count++;
}

void mio_pf_sharers_left(struct mio_pf_sharers *sharers, struct mio_pf_share *share)
{
	if (share->used_at == 0)
		return;
	take_out(sharers, share);
	sharers->streams -= share->streams;
	share->streams = 0;
}

static int is_old(const struct mio_pf_sharers *sharers, const struct mio_pf_share *share)
{
	int64_t round = sharers->count > ROUND_LEAST ? sharers->count : ROUND_LEAST;

	return sharers->clock - share->used_at >= ROUNDS * round;
}

int mio_pf_sharers_used(struct mio_pf_sharers *sharers, struct mio_pf_share *share, int active)
{
	sharers->clock++;
	if (share->used_at != 0)
		take_out(sharers, share);
	put_last(sharers, share);
	sharers->streams += active - share->streams;
	share->streams = active;
	while (is_old(sharers, sharers->oldest))
		mio_pf_sharers_left(sharers, sharers->oldest);
	return sharers->streams > 1 ? sharers->streams : 1;
}
