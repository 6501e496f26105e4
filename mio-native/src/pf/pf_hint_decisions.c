#include "pf_hint_decisions.h"

static const char *word_of(enum mio_pf_decision decision)
{
	static const char *const words[] = {
		"looking",
#define X(name, word) word,
		MIO_PF_DECISIONS(X)
#undef X
	};

	return words[decision];
}

static void set(struct mio_pf_hint_decisions *decisions, enum mio_pf_decision decision, int64_t first, int64_t second)
{
	decisions->known |= 1U << decision;
	decisions->last = decision;
	decisions->figure = first;
	decisions->other_figure = second;
	decisions->is_new = 1;
}

void mio_pf_decisions_is(struct mio_pf_hint_decisions *decisions, enum mio_pf_decision decision, int64_t bytes)
{
	decisions->now = decision;
	if (!(decisions->known & 1U << decision))
		set(decisions, decision, bytes, 0);
}

void mio_pf_decisions_instead(struct mio_pf_hint_decisions *decisions, enum mio_pf_decision decision, int64_t bytes)
{
	if (decisions->is_new)
		decisions->known &= ~(1U << decisions->last);
	decisions->is_new = 0;
	mio_pf_decisions_is(decisions, decision, bytes);
}

void mio_pf_decisions_measured(struct mio_pf_hint_decisions *decisions, int better, int64_t hinted_ps, int64_t alone_ps)
{
	decisions->now = better ? MIO_PF_DECIDED_BETTER : MIO_PF_DECIDED_NO_BETTER;
	set(decisions, decisions->now, hinted_ps, alone_ps);
}

void mio_pf_decisions_take_back(struct mio_pf_hint_decisions *decisions)
{
	if (decisions->is_new && decisions->last <= MIO_PF_DECIDED_NUDGE) {
		decisions->known &= ~(1U << decisions->last);
		decisions->is_new = 0;
	}
}

void mio_pf_decisions_cached(struct mio_pf_hint_decisions *decisions)
{
	mio_pf_decisions_take_back(decisions);
	mio_pf_decisions_is(decisions, MIO_PF_DECIDED_CACHED, 0);
}

int mio_pf_decisions_take(struct mio_pf_hint_decisions *decisions)
{
	int was = decisions->is_new;

	decisions->is_new = 0;
	return was;
}

const char *mio_pf_decisions_word(const struct mio_pf_hint_decisions *decisions)
{
	return word_of(decisions->last);
}

const char *mio_pf_decisions_now(const struct mio_pf_hint_decisions *decisions)
{
	return word_of(decisions->now);
}

/* Adds picoseconds as nanoseconds with two decimals, rounded half up. */
static void add_ns(struct mio_text *text, int64_t ps)
{
	int64_t hundredths = (ps + 5) / 10;

	mio_text_add_number(text, hundredths / 100);
	mio_text_add_char(text, '.');
	mio_text_add_number(text, hundredths / 10 % 10);
	mio_text_add_number(text, hundredths % 10);
}

/* Adds a number between two texts. */
static void add(struct mio_text *text, const char *before, int64_t number, const char *behind)
{
	mio_text_add(text, before);
	mio_text_add_number(text, number);
	mio_text_add(text, behind);
}

void mio_pf_decisions_reason(const struct mio_pf_hint_decisions *decisions, struct mio_text *text)
{
	switch (decisions->last) {
	case MIO_PF_DECIDED_FORWARD:
		mio_text_add(text, "it goes forward: hints until they are measured");
		break;
	case MIO_PF_DECIDED_BACKWARD:
		mio_text_add(text, "it goes backward, where the kernel reads nothing ahead");
		break;
	case MIO_PF_DECIDED_STEPS:
		add(text, "it goes in steps of ", decisions->figure, " bytes, where the kernel reads nothing ahead");
		break;
	case MIO_PF_DECIDED_PIECES:
		add(text, "requests of ", decisions->figure, " bytes in no order, each told of in pieces that come side by side");
		break;
	case MIO_PF_DECIDED_BLOCKS:
		add(text, "", decisions->figure,
		    " of 64 requests came back to blocks of 64 KiB that are not in the kernel's cache: hints of whole blocks");
		break;
	case MIO_PF_DECIDED_NUDGE:
		add(text, "requests of ", decisions->figure,
		    " bytes that go on from what the kernel has, with others in between: a byte is read first, so that it reads ahead");
		break;
	case MIO_PF_DECIDED_BETTER:
	case MIO_PF_DECIDED_NO_BETTER:
		mio_text_add(text, "forward, the kernel alone takes ");
		add_ns(text, decisions->other_figure);
		mio_text_add(text, " ns a byte, with hints ");
		add_ns(text, decisions->figure);
		break;
	case MIO_PF_DECIDED_FAR:
		add(text, "forward, the kernel reads ", decisions->figure / 1024, " KiB ahead by itself");
		break;
	case MIO_PF_DECIDED_LARGE:
		add(text, "forward by ", decisions->figure, " bytes, the kernel makes large requests of it by itself");
		break;
	case MIO_PF_DECIDED_RANDOM:
		add(text, "", decisions->figure, " requests in a row were in no order: looked at less and less");
		break;
	case MIO_PF_DECIDED_CACHED:
		mio_text_add(text, "what comes next is in the kernel's cache");
		break;
	case MIO_PF_DECIDED_REFUSED:
		mio_text_add(text, "the kernel takes no hints");
		break;
	case MIO_PF_DECIDED_NOTHING:
	default:
		break;
	}
}
