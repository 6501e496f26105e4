#ifndef MIO_OS_LIST_H
#define MIO_OS_LIST_H

/* A list of transfers, linked by next. */

#include <stddef.h>

#include "os_transfer.h"

struct mio_os_list {
	struct mio_os_transfer *first;	/* NULL: empty */
	struct mio_os_transfer *last;
};

static inline void mio_os_list_add_last(struct mio_os_list *list, struct mio_os_transfer *transfer)
{
	transfer->next = NULL;
	if (list->first)
		list->last->next = transfer;
	else
		list->first = transfer;
	list->last = transfer;
}

static inline void mio_os_list_add_first(struct mio_os_list *list, struct mio_os_transfer *transfer)
{
	transfer->next = list->first;
	if (!list->first)
		list->last = transfer;
	list->first = transfer;
}

static inline struct mio_os_transfer *mio_os_list_take_first(struct mio_os_list *list)
{
	struct mio_os_transfer *first = list->first;

	if (first)
		list->first = first->next;
	return first;
}

/* The list in reverse order. */
static inline struct mio_os_transfer *mio_os_list_turned(struct mio_os_transfer *list)
{
	struct mio_os_transfer *other = NULL;

	while (list) {
		struct mio_os_transfer *next = list->next;

		list->next = other;
		other = list;
		list = next;
	}
	return other;
}

#endif
