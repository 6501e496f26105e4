/*
 * What the JVM door asks the helper first: its version, and the direct I/O limits of a file.
 * The functions here are all that libmio_jvm.so exports; libmio_jvm.map has their names. Java calls
 * them with plain numbers and arrays only, so that no structure layout is written down twice.
 */
#include "jvm_info.h"

#include "../os/os_direct.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifndef MIO_VERSION
#error "MIO_VERSION is given by the build"
#endif

MIO_JVM_EXPORT const char *mio_jvm_version(void)
{
	return MIO_VERSION;
}

MIO_JVM_EXPORT int mio_jvm_direct_limits(const char *path, int32_t *mem_and_offset_align_bytes)
{
	struct mio_os_direct_limits limits;
	int rc;

	if (!mem_and_offset_align_bytes)
		return -EFAULT;
	rc = mio_os_direct_limits_read(path, &limits);
	if (rc < 0)
		return rc;
	mem_and_offset_align_bytes[0] = (int32_t)limits.mem_align_bytes;
	mem_and_offset_align_bytes[1] = (int32_t)limits.offset_align_bytes;
	return rc;
}

MIO_JVM_EXPORT void mio_jvm_error_text(int error, char *text, int text_bytes)
{
	int errno_before = errno;

	/* Not strerror_r: its two forms differ by libc. The text of a known errno is a constant. */
	if (text && text_bytes > 0)
		snprintf(text, (size_t)text_bytes, "%s", strerror(error));
	errno = errno_before;
}
