#ifndef MIO_STATS_FILE_H
#define MIO_STATS_FILE_H

/*
 * One output file of reports: a path, stdout or stderr; a leading + keeps what is there (reference 2.4). Shared by
 * everything in the process that writes to the same path. Twin of StatsFile.
 *
 * It is opened for each entry, and each entry is one write at its end, so that several processes may share it, and that
 * no descriptor of MIO's stands among those of the program, who might close it or put something else in its place. A process
 * that changes its rights or its root keeps one, since it may not be able to open the file any more. Made
 * 0600, and never reached through a symbolic link in a directory others may write to (design section 10).
 */

#include "../common/text.h"
#include "../os/os_kept.h"

/*
 * The processes that one has begun, directly or not, write to one file: who of them is the first to have something to say
 * begins it anew, and the others add to it. A file is old if nobody has changed it since the first process began:
 * either it is still what that one saw, or its last change is earlier. Of a file other than that of MIO_STATS, which nobody
 * has looked at before, the first process needs to know nothing while it has begun no other.
 */
struct mio_stats_tree {
	int shared;		/* there may be other processes */
	int64_t began_ns;	/* when the first one began, by the clock of files */
	uint64_t device, inode;	/* of the file of MIO_STATS as it was then; inode 0 if there was none */
	int64_t bytes, changed_ns;
};

struct mio_stats_file {
	struct mio_stats_file *next;
	struct mio_os_kept *stay;	/* as it was opened before the process changed its rights; or NULL */
	char *path;
	size_t path_bytes;
	int common;		/* that of MIO_STATS */
	int stream;		/* 1 stdout, 2 stderr, 0 a file */
	int append;
	int json;
	int begun, failed;
	struct mio_text kept;	/* could not be written yet */
};

/* The tree of a process that nobody of it has begun. path: of MIO_STATS, or NULL. */
void mio_stats_tree_begin(struct mio_stats_tree *tree, const char *path);
/* For the processes it begins, and back. 0 if text is no tree. */
void mio_stats_tree_write(const struct mio_stats_tree *tree, struct mio_text *text);
int mio_stats_tree_read(struct mio_stats_tree *tree, const char *text);

/* name: not blank, of that length. NULL without memory. */
struct mio_stats_file *mio_stats_file_make(const char *directory, const char *name, size_t length);

/*
 * Write one entry. header: goes first if nothing was written yet. opening: its debug lines follow directly. later: where it
 * cannot be written now, keep it for the next one. Calls for one file: one at a time.
 */
void mio_stats_file_write(struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct mio_text *header,
			  int opening, int later, const struct mio_text *entry);

/* The process ends: there is no next entry for what is kept. If it cannot be written now either, the warning says so. */
void mio_stats_file_write_kept(struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct mio_text *header);

/*
 * The process is about to change its rights or its root: have the file open from now on, if it can be. Made now where it is not there, unless others may make
 * it in its directory. For one with a stay; calls as for mio_stats_file_write.
 */
void mio_stats_file_stay(struct mio_stats_file *file, const struct mio_stats_tree *tree);

/* 1 if this process, or one of those that share it, has written to it; not for stdout and stderr. */
int mio_stats_file_is_written(const struct mio_stats_file *file, const struct mio_stats_tree *tree);

extern const char mio_stats_separator[];

#endif
