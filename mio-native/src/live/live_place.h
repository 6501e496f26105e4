#ifndef MIO_LIVE_PLACE_H
#define MIO_LIVE_PLACE_H

/* The directory of live counter files, and what /proc tells of this process. */

#include <stddef.h>
#include <stdint.h>

/* Files of killed processes are kept so long at least; the most entries of a directory that one process looks at. */
enum { MIO_LIVE_PATH_BYTES = 1024, MIO_LIVE_KEPT_SECONDS = 3600, MIO_LIVE_LOOKED_AT_MAX = 64 };

/* 1 if the setting wants no file; 2 if it leaves the place to us; 0: it names a directory. */
int mio_live_setting_kind(const char *setting);

/* Writes the name of the file for this process, and makes it, 0600, empty. chosen: a directory, or "". The descriptor, or -errno. */
int mio_live_place_create(const char *chosen, char path[MIO_LIVE_PATH_BYTES]);

/* Removes old files of killed processes from the directory, a descriptor. _create does so in places that nobody chose. */
void mio_live_place_sweep(int place);

/* 1 if this thread can become no other user than it is, and has no more rights. */
int mio_live_place_rights_are_final(void);

/* Of this process: fields 22 and 28 of its stat; zero if not known. */
void mio_live_process(int64_t *start_time, int64_t *stack_begin);

#endif
