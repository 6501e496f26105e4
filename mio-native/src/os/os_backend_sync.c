/* Does each request in the thread that submits it. The other backends are compared with this one, and it serves where they are not available. */
#include "os_backend.h"

#include <stddef.h>

static void submit(struct mio_os_transfer *list)
{
	while (list) {
		struct mio_os_transfer *next = list->next;

		mio_os_transfer_finish(list);
		list = next;
	}
}

const struct mio_os_backend mio_os_backend_sync = {.label = "sync", .submit = submit};
