/* The layer by which pages of pf/auto read and write: it gives the kernel hints for their reads, as for those of the program without pages. */
#include "pf_auto_layer.h"

#include <stddef.h>

static struct mio_pf_auto *of_below(struct mio_layer *below)
{
	return (struct mio_pf_auto *)(void *)((char *)below - offsetof(struct mio_pf_auto, below));
}

/* 1 if the read is to be followed by mio_pf_auto_prove. */
static int look_at_page_read(struct mio_pf_auto *automatic, int64_t offset, size_t length, int waits)
{
	if (mio_pf_auto_is_past(automatic)) {
		if (mio_pf_auto_count(&automatic->page_reads, (int64_t)length) >= mio_pf_auto_due_bytes(automatic))
			mio_pf_auto_look_at_pages(automatic);
		return 0;
	}
	/* So many page reads would be too many even for READS reads of the program, or this is no page read: pages are looked at now. */
	if (!mio_pf_choice_is_worth(MIO_PF_AUTO_READS, mio_pf_auto_count(&automatic->page_reads, 1)) || mio_pf_auto_is_kept_from(automatic))
		mio_pf_auto_look_at_pages(automatic);
	return mio_pf_auto_look(automatic, offset, length, waits);
}

static int64_t below_read(struct mio_layer *below, void *memory, size_t length, int64_t offset)
{
	int proves = look_at_page_read(of_below(below), offset, length, 1);
	int64_t bytes = mio_forward_read(below, memory, length, offset);

	if (proves)
		mio_pf_auto_prove(of_below(below), offset, bytes);
	return bytes;
}

static int64_t below_readv(struct mio_layer *below, const struct iovec *vector, int count, int64_t offset)
{
	int proves = look_at_page_read(of_below(below), offset, mio_pf_auto_length(vector, count), 1);
	int64_t bytes = mio_forward_readv(below, vector, count, offset);

	if (proves)
		mio_pf_auto_prove(of_below(below), offset, bytes);
	return bytes;
}

static int below_submit(struct mio_layer *below, struct mio_io *io)
{
	if (!io->write)
		look_at_page_read(of_below(below), io->offset, io->requested, 0);
	return mio_forward_submit(below, io);
}

static void below_submit_all(struct mio_layer *below, struct mio_io **list, int count)
{
	if (mio_pf_auto_is_past(of_below(below))) {
		for (int i = 0; i < count; i++)
			if (!list[i]->write)
				look_at_page_read(of_below(below), list[i]->offset, list[i]->requested, 0);
		below->next->ops->submit_all(below->next, list, count);
		return;
	}
	for (int i = 0; i < count; i++) {
		int rc = below_submit(below, list[i]);

		if (rc < 0)
			mio_io_complete(list[i], rc);
	}
}

/* Closes nothing: pf/auto itself closes the layers below, as the pages may end before it. */
static int below_close(struct mio_layer *below)
{
	(void)below;
	return 0;
}

static void below_release(struct mio_layer *below)
{
	(void)below;
}

const struct mio_layer_ops mio_pf_auto_below_ops = {
	.read = below_read,
	.readv = below_readv,
	.write = mio_forward_write,
	.writev = mio_forward_writev,
	.seek = mio_forward_seek,
	.size = mio_forward_size,
	.truncate = mio_forward_truncate,
	.flush = mio_forward_flush,
	.publish = mio_forward_publish,
	.bypass_begin = mio_forward_bypass_begin,
	.bypass_end = mio_forward_bypass_end,
	.submit = below_submit,
	.submit_all = below_submit_all,
	.reserve = mio_forward_reserve,
	.await = mio_forward_await,
	.close = below_close,
	.release = below_release,
};
