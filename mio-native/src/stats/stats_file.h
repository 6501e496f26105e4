#ifndef MIO_STATS_FILE_H
#define MIO_STATS_FILE_H

/*
 * One output file of reports: a path, stdout or stderr. A leading + keeps what is in the file (reference 2.4). Everything
 * in the process that writes to the same path shares it. Twin of StatsFile.
 *
 * The file is opened for each entry, and each entry is one write at its end. So several processes may share it, and MIO
 * has no descriptor among those of the program, which might close it or put something else in its place. Only a process
 * that changes its rights or its root keeps a descriptor, because it may not be able to open the file again. The file is made
 * with mode 0600, and never reached through a symbolic link in a directory that others may write to (design section 10).
 */

#include "../common/text.h"
#include "../os/os_kept.h"

/*
 * A process and those it has begun, directly or not, write to one file: the first of them that has something to report
 * begins the file anew, and the others add to it. They begin anew only an old file, one that has not changed since the first
 * process began: it is either still as that process saw it, or its last change is earlier. The first process did not look at
 * files other than that of MIO_STATS; while it has begun no other process, these are always old.
 */
struct mio_stats_tree {
	int shared;		/* 1: there may be other processes */
	int64_t began_ns;	/* when the first process began, by the clock of file times */
	uint64_t device, inode;	/* the file of MIO_STATS as it was then; inode 0: there was none */
	int64_t bytes, changed_ns;	/* its size and last change then */
};

struct mio_stats_file {
	struct mio_stats_file *next;
	struct mio_os_kept *stay;	/* the file as it was opened before the process changed its rights; or NULL */
	char *path;
	size_t path_bytes;
	int common;		/* 1: the file of MIO_STATS */
	int stream;		/* 1 stdout, 2 stderr, 0 a file */
	int append;
	int json;
	int begun, failed;
	struct mio_text kept;	/* text that could not be written yet */
};

/* The tree of the first process. path: the file of MIO_STATS, or NULL. */
void mio_stats_tree_begin(struct mio_stats_tree *tree, const char *path);
/* Writes the tree as text for the processes it begins, and reads such a text. read returns 0 if text is no tree. */
void mio_stats_tree_write(const struct mio_stats_tree *tree, struct mio_text *text);
int mio_stats_tree_read(struct mio_stats_tree *tree, const char *text);

/* name: length bytes, not blank; it may begin with +. NULL without memory. */
struct mio_stats_file *mio_stats_file_make(const char *directory, const char *name, size_t length);

/*
 * Writes one entry. header: goes first if nothing was written yet. opening: the entry has debug lines, which follow the header
 * directly. later: if the entry cannot be written now, keep it for the next one. Calls for one file: one at a time.
 */
void mio_stats_file_write(struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct mio_text *header,
			  int opening, int later, const struct mio_text *entry);

/* The process ends, and no entry follows: writes what is kept. If that fails, a warning says so. */
void mio_stats_file_write_kept(struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct mio_text *header);

/*
 * The process is about to change its rights or its root: keeps the file open from now on, if possible. Makes it now if it does not exist, unless other users
 * may make it in its directory. file->stay must be set; calls as for mio_stats_file_write.
 */
void mio_stats_file_stay(struct mio_stats_file *file, const struct mio_stats_tree *tree);

/* 1 if this process, or another one that shares the file, has written to it. 0 for stdout and stderr. */
int mio_stats_file_is_written(const struct mio_stats_file *file, const struct mio_stats_tree *tree);

extern const char mio_stats_separator[];

#endif
