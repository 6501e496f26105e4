#ifndef MIO_OS_FOLIOS_H
#define MIO_OS_FOLIOS_H

#include <stdint.h>

/*
 * Read ahead in large folios: pieces of the kernel's cache of up to 2 MiB in place of one for each page, which cost less to fill and to copy from.
 * errno is left alone.
 */

/* Shorter ranges are told as any other, bytes. */
#define MIO_OS_FOLIOS_LEAST ((int64_t)256 << 10)

/* 1 if the kernel keeps the file of fd in large folios, as far as is known of its file system, and can be had to read it ahead in such. reach: as below. */
int mio_os_folios_are_large(int fd, int64_t reach);

/* The same for a file system (statfs.f_type) and a release of Linux (os_release.h). Pure. */
int mio_os_folios_are_known(uint64_t file_system, int release);

/*
 * As mio_os_kernel_cache_read_ahead, in large folios where nothing of the range is there. one, other: two opens of the file, for reading, which serve
 * nothing else, one call at a time. reach: as mio_os_kernel_cache_reach tells; longest: as mio_os_kernel_cache_longest does.
 */
int mio_os_folios_read_ahead(int one, int other, int64_t offset, int64_t length, int64_t reach, int64_t longest);

/* So many pages are asked for to have the kernel read so many ahead, where it reads `reach` pages by itself. Pure. */
int64_t mio_os_folios_request(int64_t pages, int64_t reach);

#endif
