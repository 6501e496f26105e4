#ifndef MIO_OS_FOLIOS_H
#define MIO_OS_FOLIOS_H

#include <stdint.h>

/*
 * Reads ahead in large folios: pieces of the kernel's page cache of up to 2 MiB instead of one for each page, which cost less to fill and to copy
 * from. errno is left alone.
 */

/* Ranges shorter than this, in bytes, are read ahead in the ordinary way. */
#define MIO_OS_FOLIOS_LEAST ((int64_t)256 << 10)

/*
 * 1 if the kernel keeps the file of fd in large folios, as far as is known of its file system, and can be made to read ahead in them. reach: as
 * below.
 */
int mio_os_folios_are_large(int fd, int64_t reach);

/* The same for a file system (statfs.f_type) and a release of Linux (os_release.h). Pure. */
int mio_os_folios_are_known(uint64_t file_system, int release);

/*
 * As mio_os_kernel_cache_read_ahead, but in large folios where nothing of the range is cached. one, other: two opens of the file for reading,
 * used for nothing else, by one call at a time. reach: result of mio_os_kernel_cache_reach; longest: result of mio_os_kernel_cache_longest.
 */
int mio_os_folios_read_ahead(int one, int other, int64_t offset, int64_t length, int64_t reach, int64_t longest);

/* How many pages to request so that the kernel reads `pages` ahead, where it reads `reach` pages ahead by itself. Pure. */
int64_t mio_os_folios_request(int64_t pages, int64_t reach);

#endif
