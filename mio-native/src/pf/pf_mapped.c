/*
 * The table of the files that the program has mapped, by device and inode: for writing, or, while the file had pages, for reading. A mapping outlives its
 * descriptors, and its end is not noticed. So an entry stays, unless the file is gone and a new one has its inode. An entry is written before it counts, so
 * that a forked child, which has the mappings too, finds the table in order whatever another thread of its parent was doing.
 */
#include "pf_file.h"

#include <errno.h>
#include <string.h>

#include "../common/memory.h"

#define FIRST_ENTRIES 16

struct entry {
	uint64_t device, inode;
	_Atomic uint32_t used;
};

/*
 * How a file is used. A later value replaces an earlier one. NO_MORE: not any more, but the entry stays, as others lie behind it in the table. UNSEEN: it may
 * be changed unseen, in whichever way.
 */
enum { FREE, NO_MORE, FOR_READING, UNSEEN, FOR_WRITING };

struct table {
	size_t room;	/* a power of two */
	size_t count;
	struct entry entries[];
};

static struct mio_lock lock;
static _Atomic(struct table *) mapped;

/* The entry of the file, or the free entry where it belongs; there always is one. */
static struct entry *entry_of(struct table *table, uint64_t device, uint64_t inode)
{
	size_t at = mio_pf_mixed(device, (int64_t)inode) & (table->room - 1);

	while (atomic_load_explicit(&table->entries[at].used, memory_order_acquire) &&
	       (table->entries[at].inode != inode || table->entries[at].device != device))
		at = (at + 1) & (table->room - 1);
	return &table->entries[at];
}

static int is_mapped(uint32_t used)
{
	return used > NO_MORE;
}

static void put(struct table *table, uint64_t device, uint64_t inode, uint32_t used)
{
	struct entry *entry = entry_of(table, device, inode);

	if (atomic_load(&entry->used) == FREE) {
		entry->device = device;
		entry->inode = inode;
		table->count++;
	}
	if (atomic_load(&entry->used) < used)
		atomic_store_explicit(&entry->used, used, memory_order_release);
}

static struct table *larger(const struct table *old)
{
	size_t room = old ? 2 * old->room : FIRST_ENTRIES;
	struct table *table = mio_memory_take(sizeof(*table) + room * sizeof(struct entry));

	if (!table)
		return NULL;
	table->room = room;
	for (size_t i = 0; old && i < old->room; i++) {
		uint32_t used = atomic_load(&old->entries[i].used);

		if (is_mapped(used))
			put(table, old->entries[i].device, old->entries[i].inode, used);
	}
	/* The old table is not freed, as a reader may be using it. All old tables together are no larger than this one. */
	atomic_store_explicit(&mapped, table, memory_order_release);
	return table;
}

static int add(uint64_t device, uint64_t inode, uint32_t used)
{
	struct table *table;

	mio_lock_acquire(&lock);
	table = atomic_load(&mapped);
	if (!table || table->count >= table->room / 2)
		table = larger(table);
	if (table)
		put(table, device, inode, used);
	mio_lock_release(&lock);
	return table ? 0 : -ENOMEM;
}

int mio_pf_mapped_add(uint64_t device, uint64_t inode)
{
	return add(device, inode, UNSEEN);
}

int mio_pf_mapped_add_writing(uint64_t device, uint64_t inode)
{
	return add(device, inode, FOR_WRITING);
}

int mio_pf_mapped_add_reading(uint64_t device, uint64_t inode)
{
	return add(device, inode, FOR_READING);
}

static uint32_t used_of(uint64_t device, uint64_t inode)
{
	struct table *table = atomic_load_explicit(&mapped, memory_order_acquire);

	return table ? atomic_load(&entry_of(table, device, inode)->used) : FREE;
}

int mio_pf_mapped_has(uint64_t device, uint64_t inode)
{
	return used_of(device, inode) >= UNSEEN;
}

int mio_pf_mapped_has_writing(uint64_t device, uint64_t inode)
{
	return used_of(device, inode) == FOR_WRITING;
}

int mio_pf_mapped_any(void)
{
	return atomic_load_explicit(&mapped, memory_order_acquire) != NULL;
}

int mio_pf_mapped_has_any(uint64_t device, uint64_t inode)
{
	return is_mapped(used_of(device, inode));
}

void mio_pf_mapped_is_new(uint64_t device, uint64_t inode)
{
	if (!mio_pf_mapped_has_any(device, inode))
		return;
	mio_lock_acquire(&lock);
	if (mio_pf_mapped_has_any(device, inode))
		atomic_store(&entry_of(atomic_load(&mapped), device, inode)->used, NO_MORE);
	mio_lock_release(&lock);
}

void mio_pf_mapped_forked(void)
{
	memset(&lock, 0, sizeof(lock));
}
