#include "pf_table.h"

#include <errno.h>

#include "../common/memory.h"
#include "pf_file.h"
#include "pf_page.h"

int mio_pf_table_begin(struct mio_pf_table *table, int64_t frames)
{
	table->count = 2;
	while (table->count < (size_t)frames * 2)
		table->count *= 2;
	table->chains = mio_memory_take(table->count * sizeof(*table->chains));
	return table->chains ? 0 : -ENOMEM;
}

void mio_pf_table_end(struct mio_pf_table *table)
{
	mio_memory_give(table->chains, table->count * sizeof(*table->chains));
	table->chains = NULL;
}

static struct mio_pf_page **chain_of(const struct mio_pf_table *table, const struct mio_pf_file *file, int64_t index)
{
	return &table->chains[mio_pf_mixed(file->number, index) & (table->count - 1)];
}

struct mio_pf_page *mio_pf_table_find(const struct mio_pf_table *table, const struct mio_pf_file *file, int64_t index)
{
	struct mio_pf_page *page = *chain_of(table, file, index);

	while (page && (page->index != index || page->file != file))
		page = page->chained;
	return page;
}

void mio_pf_table_add(struct mio_pf_table *table, struct mio_pf_page *page)
{
	struct mio_pf_page **chain = chain_of(table, page->file, page->index);

	page->chained = *chain;
	*chain = page;
}

void mio_pf_table_remove(struct mio_pf_table *table, struct mio_pf_page *gone)
{
	struct mio_pf_page **link = chain_of(table, gone->file, gone->index);

	while (*link != gone)
		link = &(*link)->chained;
	*link = gone->chained;
	gone->chained = NULL;
}
