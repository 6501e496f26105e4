/*
 * Linux uses large folios for readahead only in a stream of reads that it recognises by itself; what posix_fadvise asks for comes page by page. So
 * this file shows the kernel a stream that runs into the range. Such a stream works by marks: the kernel marks a page of what it has read ahead, and
 * a read that comes to the mark makes it read on, behind everything that is there. Since 6.17 the folios of that are four times as large as those of
 * the time before on the same open. Since 6.12 requests that must not wait (RWF_NOWAIT) do that, too; those used here have no memory to go to.
 *
 *   page  0     1..6     7     8 9      10..12  13 ...
 *         left  advised  left  advised  by one  by other, in large folios
 *
 *   1. pages 8 and 9 are advised, by posix_fadvise;
 *   2. `one` misses page 10; the kernel finds two pages in front of it, and reads three: 12 is marked. If 10 has come before the request ends, the
 *      kernel notes 10 as the page that `one` read last. The next time that 10 is missed on this open, it would then take the miss for the next page
 *      of a stream, and put its marks elsewhere. So `one` goes on to 8, which has come by then, too. If 10 has not come, nothing is noted;
 *   3. `other` comes to 12: the kernel reads from 13 on, as far as the length of the request says; 13 is marked. `other` does nothing but this, so that
 *      its folios have grown;
 *   4. pages 1 to 6 are advised; `one` misses 7, and the kernel finds them in front of it: it takes seven pages from 7 on for read, and waits for a mark
 *      on the last of them, which is 13;
 *   5. `one` comes to 13: the mark goes, and what would be read for it, 14 to 41 at most, is there. Left alone, the mark would make the kernel read on
 *      behind the range when the program comes to it;
 *   6. the whole range is advised as any other. Pages that are there cost little: this is for page 0 and the rest, and for a kernel that does otherwise.
 */
#include "os_folios.h"

#include <unistd.h>

#include "../common/memory.h"
#include "os_call.h"
#include "os_kernel_cache.h"
#include "os_release.h"

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x8
#endif

enum {
	PAGE_BYTES = 4096,	/* of the machine; with larger pages nothing here is short enough */
	PART = 4 << 20,		/* a range is cut at multiples of this: the kernel would cut what runs over multiples of 8 MiB */
	LONG = PART,		/* the most bytes of a request of `other` */
	REACH_LEAST = 64 << 10,	/* a kernel that reads less far ahead by itself has its marks elsewhere */
	PIECE = 16 << 10
};

/* Target of the reads, where nothing can be written: a page that is there already ends the request, which would otherwise come to the next mark. */
static const char nowhere[PIECE];

int64_t mio_os_folios_request(int64_t pages, int64_t reach)
{
	/* The kernel adds the request to the pages left until the mark, here one, and enlarges the sum: four times if it is short, else twice. */
	if (pages > reach)
		return pages;
	return pages / (pages < reach / 8 ? 4 : 2) - 1;
}

int mio_os_folios_are_known(uint64_t file_system, int release)
{
	enum { EXT4 = 0xEF53, XFS = 0x58465342 };

	/* Both have had large folios for longer, but not ones that grow from one readahead to the next, see above. */
	return (file_system == EXT4 || file_system == XFS) && release >= MIO_OS_RELEASE(6, 17);
}

int mio_os_folios_are_large(int fd, int64_t reach)
{
	struct statfs found;

	return reach >= REACH_LEAST && sysconf(_SC_PAGESIZE) == PAGE_BYTES && mio_os_call_statfs(fd, &found) == 0 &&
	       mio_os_folios_are_known((uint64_t)(uint32_t)found.f_type, mio_os_release());
}

static void come_to(int fd, int64_t page, int64_t pages)
{
	int64_t bytes = pages * PAGE_BYTES < LONG ? pages * PAGE_BYTES : LONG;
	size_t size = (size_t)(bytes / PIECE + 1) * sizeof(struct iovec);
	/* The program's stack may be small. */
	struct iovec *vector = mio_memory_take(size);
	int count = 0;

	if (!vector)
		return;
	for (; bytes > 0; bytes -= PIECE) {
		vector[count].iov_base = (void *)(uintptr_t)nowhere;
		vector[count++].iov_len = bytes < PIECE ? (size_t)bytes : PIECE;
	}
	mio_os_call_preadv2(fd, vector, count, page * PAGE_BYTES, RWF_NOWAIT);
	mio_memory_give(vector, size);
}

static int tell(int fd, int64_t page, int64_t pages, int64_t longest)
{
	return mio_os_kernel_cache_read_ahead(fd, page * PAGE_BYTES, pages * PAGE_BYTES, longest);
}

static void show_stream(int one, int other, int64_t page, int64_t pages, int64_t reach)
{
	tell(one, page + 8, 2, PART);
	come_to(one, page + 10, 1);
	come_to(one, page + 8, 1);
	come_to(other, page + 12, mio_os_folios_request(pages - 13, reach));
	tell(one, page + 1, 6, PART);
	come_to(one, page + 7, 1);
	come_to(one, page + 13, 1);
}

int mio_os_folios_read_ahead(int one, int other, int64_t offset, int64_t length, int64_t reach, int64_t longest)
{
	int64_t end = (offset + length + PAGE_BYTES - 1) / PAGE_BYTES;
	int64_t part = (longest < PART ? longest : PART) / PAGE_BYTES;
	int64_t next;
	int rc = 0;

	for (int64_t page = offset / PAGE_BYTES; page < end && rc >= 0; page = next) {
		next = (page / part + 1) * part < end ? (page / part + 1) * part : end;
		if ((next - page) * PAGE_BYTES >= MIO_OS_FOLIOS_LEAST &&
		    mio_os_kernel_cache_pages(one, page * PAGE_BYTES, (next - page) * PAGE_BYTES) == 0)
			show_stream(one, other, page, next - page, reach / PAGE_BYTES);
		rc = tell(one, page, next - page, longest);
	}
	return rc;
}
