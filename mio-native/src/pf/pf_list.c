#include "pf_list.h"

#include "pf_page.h"

struct mio_pf_page *mio_pf_list_after(const struct mio_pf_list *list, const struct mio_pf_page *page)
{
	return page->after[list->kind];
}

void mio_pf_list_add_last(struct mio_pf_list *list, struct mio_pf_page *page)
{
	page->before[list->kind] = list->last;
	page->after[list->kind] = NULL;
	if (list->last)
		list->last->after[list->kind] = page;
	else
		list->first = page;
	list->last = page;
	list->size++;
}

void mio_pf_list_add_first(struct mio_pf_list *list, struct mio_pf_page *page)
{
	page->before[list->kind] = NULL;
	page->after[list->kind] = list->first;
	if (list->first)
		list->first->before[list->kind] = page;
	else
		list->last = page;
	list->first = page;
	list->size++;
}

void mio_pf_list_remove(struct mio_pf_list *list, struct mio_pf_page *page)
{
	struct mio_pf_page *before = page->before[list->kind];
	struct mio_pf_page *after = page->after[list->kind];

	if (before)
		before->after[list->kind] = after;
	else
		list->first = after;
	if (after)
		after->before[list->kind] = before;
	else
		list->last = before;
	page->before[list->kind] = NULL;
	page->after[list->kind] = NULL;
	list->size--;
}

void mio_pf_list_move_last(struct mio_pf_list *list, struct mio_pf_page *page)
{
	if (page != list->last) {
		mio_pf_list_remove(list, page);
		mio_pf_list_add_last(list, page);
	}
}
