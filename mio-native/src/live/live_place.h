#ifndef MIO_LIVE_PLACE_H
#define MIO_LIVE_PLACE_H

/* The directory of live counter files, and what /proc tells of this process. */

#include <stddef.h>
#include <stdint.h>

/* KEPT_SECONDS: files of killed processes are kept at least so long. LOOKED_AT_MAX: most entries of a directory that one process looks at. */
enum { MIO_LIVE_PATH_BYTES = 1024, MIO_LIVE_KEPT_SECONDS = 3600, MIO_LIVE_LOOKED_AT_MAX = 64 };

/* 1: the setting wants no file; 2: it leaves the place to MIO; 0: it names a directory. */
int mio_live_setting_kind(const char *setting);

/* Makes the empty file of this process, with mode 0600, and writes its name to path. chosen: a directory, or "". Returns the descriptor, or -errno. */
int mio_live_place_create(const char *chosen, char path[MIO_LIVE_PATH_BYTES]);

/* Removes old files of killed processes from a directory. place: its descriptor. mio_live_place_create does so in directories that no setting chose. */
void mio_live_place_sweep(int place);

/* 1 if this thread cannot become another user, and has no capabilities. */
int mio_live_place_rights_are_final(void);

/* Fields 22 and 28 of /proc/self/stat; 0 if not known. */
void mio_live_process(int64_t *start_time, int64_t *stack_begin);

#endif
