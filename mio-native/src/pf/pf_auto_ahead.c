/* What the kernel is told of, handed over: in large folios, where it keeps the file in such. */
#include "pf_auto_layer.h"

#include <errno.h>

#include "../os/os_folios.h"
#include "../os/os_kernel_cache.h"
#include "../os/os_layer.h"

static struct mio_os_own *folios_of(struct mio_pf_auto *automatic, int fd)
{
	struct mio_os_wish wish = {0};

	if (automatic->blind || automatic->hints.kernel_bytes <= 0)
		return NULL;
	if (!automatic->asked_folios) {
		automatic->asked_folios = 1;
		if (!mio_os_folios_are_large(fd) || mio_os_own_open(fd, automatic->oflags, NULL, &wish, NULL, NULL, &automatic->folios) != 0)
			automatic->folios = NULL;
	}
	return automatic->folios;
}

int mio_pf_auto_has_folios(struct mio_pf_auto *automatic, int fd)
{
	return folios_of(automatic, fd) != NULL;
}

void mio_pf_auto_end_folios(struct mio_pf_auto *automatic)
{
	automatic->asked_folios = 1;
	if (automatic->folios)
		mio_os_own_end(automatic->folios);
}

static int read_ahead(struct mio_pf_auto *automatic, int fd, int64_t offset, int64_t length)
{
	struct mio_os_own *folios = length >= MIO_OS_FOLIOS_LEAST ? folios_of(automatic, fd) : NULL;
	int rc = folios ? mio_os_own_read_ahead(folios, fd, offset, length, automatic->hints.kernel_bytes) : -EBADF;

	return rc == -EBADF ? mio_os_kernel_cache_read_ahead(fd, offset, length) : rc;
}

int mio_pf_auto_read_ahead(struct mio_pf_auto *automatic, int fd, const struct mio_pf_hint *hint)
{
	int rc = 0;

	/* Pieces are for single pages: the first are copied while others come. */
	if (mio_pf_hint_is_of_pieces(hint) && hint->count > 1 && mio_pf_auto_has_folios(automatic, fd))
		return read_ahead(automatic, fd, hint->from, hint->count * hint->step);
	for (int i = 0; i < hint->count && rc == 0; i++)
		rc = read_ahead(automatic, fd, hint->from + i * hint->step, hint->bytes);
	return rc;
}
