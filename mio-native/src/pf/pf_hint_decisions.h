#ifndef MIO_PF_HINT_DECISIONS_H
#define MIO_PF_HINT_DECISIONS_H

/*
 * The decisions of pf_hints, for people to read: a word, and a reason with the figures behind it. Pure; twin of HintDecisions. A decision counts as new the
 * first time only, as it is made again and again; only the outcome of a measurement is new each time.
 */

#include <stdint.h>

#include "../common/text.h"

/* X(name, word): each possible decision, and the word for what happens from then on. */
#define MIO_PF_DECISIONS(X) \
	X(FORWARD, "hints")	/* hints for what comes next */ \
	X(BACKWARD, "hints") \
	X(STEPS, "hints") \
	X(PIECES, "hints") \
	X(BLOCKS, "hints") \
	X(NUDGE, "hints")	/* a byte is read first, so that the kernel reads on by itself */ \
	X(BETTER, "hints")	/* measured: hints are better; NO_BETTER: they are not */ \
	X(NO_BETTER, "kernel") \
	X(FAR, "kernel")	/* left to the kernel, which reads far ahead by itself; LARGE: which makes large requests by itself */ \
	X(LARGE, "kernel") \
	X(RANDOM, "random")	/* random requests are looked at less and less */ \
	X(CACHED, "cached")	/* the bytes of the hint were in the kernel's page cache */ \
	X(REFUSED, "kernel")	/* the kernel takes no hints */

enum mio_pf_decision {
	MIO_PF_DECIDED_NOTHING,
#define X(name, word) MIO_PF_DECIDED_##name,
	MIO_PF_DECISIONS(X)
#undef X
};

struct mio_pf_hint_decisions {
	unsigned int known;		/* bit set of the decisions that were made before */
	enum mio_pf_decision last, now;	/* the last new decision; the one that holds now */
	int is_new;			/* the last decision was not taken yet, see mio_pf_decisions_take */
	int64_t figure, other_figure;	/* behind the last decision, for its reason */
};

/* The decision holds now; it is new if it was not made before. bytes: the figure behind it, 0 if there is none. */
void mio_pf_decisions_is(struct mio_pf_hint_decisions *decisions, enum mio_pf_decision decision, int64_t bytes);
/* The same, in place of the last decision if that was not taken yet. */
void mio_pf_decisions_instead(struct mio_pf_hint_decisions *decisions, enum mio_pf_decision decision, int64_t bytes);
/* Hints and the kernel alone were both measured, in picoseconds a byte. better: hints are better. */
void mio_pf_decisions_measured(struct mio_pf_hint_decisions *decisions, int better, int64_t hinted_ps, int64_t alone_ps);
/* The bytes of the hint were in the kernel's page cache, so that there is no hint. */
void mio_pf_decisions_cached(struct mio_pf_hint_decisions *decisions);
/* Takes the last decision back, if it was to give hints and was not taken yet: the bytes were there, which says nothing of what comes next. */
void mio_pf_decisions_take_back(struct mio_pf_hint_decisions *decisions);
/* Returns 1, once, if there was a new decision since the last call. */
int mio_pf_decisions_take(struct mio_pf_hint_decisions *decisions);
/* The word of the last new decision; the word for what happens now. */
const char *mio_pf_decisions_word(const struct mio_pf_hint_decisions *decisions);
const char *mio_pf_decisions_now(const struct mio_pf_hint_decisions *decisions);
/* Adds in words why the last new decision was made. */
void mio_pf_decisions_reason(const struct mio_pf_hint_decisions *decisions, struct mio_text *text);

#endif
