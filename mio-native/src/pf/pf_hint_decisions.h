#ifndef MIO_PF_HINT_DECISIONS_H
#define MIO_PF_HINT_DECISIONS_H

/*
 * What pf_hints has decided, for people to read: a word, and the reason with the figures it was made by. Pure; twin of
 * HintDecisions. Everything but a measurement is told of the first time only: it comes again and again.
 */

#include <stdint.h>

#include "../common/text.h"

/* X(name, word): what can be decided, and the word for what happens from then on. */
#define MIO_PF_DECISIONS(X) \
	X(FORWARD, "hints")	/* told of what comes */ \
	X(BACKWARD, "hints") \
	X(STEPS, "hints") \
	X(PIECES, "hints") \
	X(BLOCKS, "hints") \
	X(NUDGE, "hints")	/* a byte is read first, so that the kernel reads on by itself */ \
	X(BETTER, "hints")	/* measured: hints are better, or not */ \
	X(NO_BETTER, "kernel") \
	X(FAR, "kernel")	/* left to the kernel, which does it by itself */ \
	X(LARGE, "kernel") \
	X(RANDOM, "random")	/* looked at less and less */ \
	X(CACHED, "cached")	/* what was to be told was there */ \
	X(REFUSED, "kernel")	/* the kernel takes no hints */

enum mio_pf_decision {
	MIO_PF_DECIDED_NOTHING,
#define X(name, word) MIO_PF_DECIDED_##name,
	MIO_PF_DECISIONS(X)
#undef X
};

struct mio_pf_hint_decisions {
	unsigned int known;		/* bits */
	enum mio_pf_decision last, now;
	int is_new;			/* the last one, and nobody has asked */
	int64_t figure, other_figure;	/* what the last one was made by */
};

/* It is so; bytes: what it is known by, if it is. */
void mio_pf_decisions_is(struct mio_pf_hint_decisions *decisions, enum mio_pf_decision decision, int64_t bytes);
/* The same, in place of what was decided since anybody asked. */
void mio_pf_decisions_instead(struct mio_pf_hint_decisions *decisions, enum mio_pf_decision decision, int64_t bytes);
/* Both ways were measured, picoseconds a byte. */
void mio_pf_decisions_measured(struct mio_pf_hint_decisions *decisions, int better, int64_t hinted_ps, int64_t alone_ps);
/* What was to be told was there, so that nothing is told. */
void mio_pf_decisions_cached(struct mio_pf_hint_decisions *decisions);
/* What was to be told was there, which says nothing of what comes next. */
void mio_pf_decisions_take_back(struct mio_pf_hint_decisions *decisions);
/* 1, once, if something was decided since the last time. */
int mio_pf_decisions_take(struct mio_pf_hint_decisions *decisions);
/* Of the last decision; and what happens now. */
const char *mio_pf_decisions_word(const struct mio_pf_hint_decisions *decisions);
const char *mio_pf_decisions_now(const struct mio_pf_hint_decisions *decisions);
/* Why the last one was made, in words. */
void mio_pf_decisions_reason(const struct mio_pf_hint_decisions *decisions, struct mio_text *text);

#endif
