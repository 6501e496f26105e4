#include "pf_replace.h"

#include <string.h>

static void added(struct mio_pf_replace *replace, struct mio_pf_page *page)
{
	mio_pf_list_add_last(&replace->trial, page);
}

static void touched(struct mio_pf_replace *replace, struct mio_pf_page *page, int by_program)
{
	(void)by_program;
	mio_pf_list_move_last(&replace->trial, page);
}

static void planned(struct mio_pf_replace *replace, struct mio_pf_page *page, int soon)
{
	touched(replace, page, soon);
}

static void removed(struct mio_pf_replace *replace, struct mio_pf_page *page)
{
	mio_pf_list_remove(&replace->trial, page);
}

static struct mio_pf_page *first(struct mio_pf_replace *replace)
{
	return replace->trial.first;
}

static struct mio_pf_page *after(struct mio_pf_replace *replace, struct mio_pf_page *page)
{
	return mio_pf_list_after(&replace->trial, page);
}

static const struct mio_pf_replace_ops ops = {added, touched, planned, removed, first, after};

void mio_pf_replace_lru_begin(struct mio_pf_replace *replace)
{
	memset(replace, 0, sizeof(*replace));
	replace->ops = &ops;
	replace->trial.kind = MIO_PF_LIST_REPLACE;
}
