#ifndef MIO_PF_LIST_H
#define MIO_PF_LIST_H

/* A list of pages, linked through the pages themselves, oldest first. Twin of PageList. */

#include <stdint.h>

struct mio_pf_page;

/* The lists a page can be in at the same time. */
enum mio_pf_list_kind {
	MIO_PF_LIST_REPLACE,	/* a list of the replacement */
	MIO_PF_LIST_DIRTY,	/* the dirty pages of a cache */
	MIO_PF_LIST_FILE,	/* the pages of a file */
	MIO_PF_LIST_FILE_DIRTY,	/* the dirty pages of a file */
	MIO_PF_LIST_KINDS
};

struct mio_pf_list {
	enum mio_pf_list_kind kind;
	struct mio_pf_page *first;	/* the oldest, or NULL */
	struct mio_pf_page *last;
	int64_t size;
};

/* The next younger page of the list, or NULL. */
struct mio_pf_page *mio_pf_list_after(const struct mio_pf_list *list, const struct mio_pf_page *page);
void mio_pf_list_add_last(struct mio_pf_list *list, struct mio_pf_page *page);
void mio_pf_list_add_first(struct mio_pf_list *list, struct mio_pf_page *page);
void mio_pf_list_remove(struct mio_pf_list *list, struct mio_pf_page *page);
void mio_pf_list_move_last(struct mio_pf_list *list, struct mio_pf_page *page);

#endif
