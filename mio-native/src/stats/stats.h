#ifndef MIO_STATS_STATS_H
#define MIO_STATS_STATS_H

/* Reports: what layers counted, as text, and where the text goes. Twin of io.mio.stats. Format: docs/format/stats.md. */

#include <stdint.h>

#include "../common/text.h"

struct mio_config;

/* Why a report is made. */
enum mio_stats_event { MIO_STATS_CLOSE, MIO_STATS_EXIT, MIO_STATS_INTER };

/* The word of an event in reports: close, exit or inter. */
const char *mio_stats_event_label(enum mio_stats_event event);

/* Where the reports of a process go; made once per process. It opens nothing until there is something to report. */
struct mio_stats_output;

/*
 * Call it at the start of the process: it reads environ, the directory and the name of the program. engine: io_uring, threads or sync; called when a header
 * is written. NULL without memory.
 */
struct mio_stats_output *mio_stats_output_make(const struct mio_config *config, const char *(*engine)(void));

/*
 * A process and the processes it begins share the file. The first of them that has something to report begins the file anew, the
 * others add to it, each with a header of its own (stats_file.h says how they know). mio_stats_output_make takes MIO_STATS_OWNER
 * from environ; this function sets it to another token, or to NULL for the first process of all.
 */
void mio_stats_output_owner(struct mio_stats_output *output, const char *token);
/*
 * The value that MIO_STATS_OWNER must have in the environment of programs that this process executes, itself or through a child.
 * It is enough to set it once, when the process begins. From this call on the process counts as one of several.
 */
const char *mio_stats_output_token(struct mio_stats_output *output);

/* The same token, which tells a process and those it has begun from other processes. The call does not make this process one of several. */
const char *mio_stats_output_tree(const struct mio_stats_output *output);
/* Adds the path from the root of an output file: name, with %p and the like filled in, seen from the directory in which the process began. */
void mio_stats_output_path(const struct mio_stats_output *output, const char *name, struct mio_text *path);

/* Writes debug lines, each with its line end, to the file of MIO_STATS. opening: lines of an open, which a separator follows. */
void mio_stats_output_debug(struct mio_stats_output *output, const char *text, int opening);

/* 1 if the file does not exist, and other users may make it in its directory: a file that this process made would be closed to them. */
int mio_stats_others_make(const char *path);

/*
 * The process is about to change its rights or its root: makes sure that the file of this target can be written afterwards as well as before. target must
 * live as long as output.
 */
void mio_stats_output_stay(struct mio_stats_output *output, const char *target);

/* For a forked child: leaves to the parent what the parent has not written yet. The child is a process of its own that adds to the file. */
void mio_stats_output_forked(struct mio_stats_output *output);

/* The process ends, and its reports are written: writes what could not be written so far. */
void mio_stats_output_end(struct mio_stats_output *output);

/* The process ends, and its reports are written: if MIO_HINT names this process, says on a terminal where they are. Once. */
void mio_stats_output_hint(struct mio_stats_output *output);

/* What a layer reports. Any thread may call it, also after the file was closed. */
struct mio_stats_source {
	/* Adds a block, as classic text or as one line of JSON; or nothing. */
	void (*block)(void *context, enum mio_stats_event event, int json, struct mio_text *text);
	void *context;
	int (*moved)(void *context);	/* returns 1 if the program has read or written through the layer; NULL: only other layers tell */
};

/* The report of one open file, lowest layer first. It is in the list of open files from mio_file_report_open to its close. */
struct mio_file_report;

struct mio_file_report *mio_file_report_make(struct mio_stats_output *output);
/* Adds a layer. target: stats file, "mioout", or NULL: the layer counts, but is never written. inter: reports on a signal, too. */
void mio_file_report_add(struct mio_file_report *report, const char *target, int inter, struct mio_stats_source source);
int mio_file_report_has_inter(const struct mio_file_report *report);
/* Puts the report into the list of open files. Call it after all layers are added. */
void mio_file_report_open(struct mio_file_report *report);
/* The file was closed: writes the report, then frees it. */
void mio_file_report_close(struct mio_file_report *report);

/* The process ends: writes a report of every file still open, in the order in which the files were opened. */
void mio_file_reports_exit(void);
/* The process is about to execute another program: the same for files that this program has read or written. Files it only hands on are left out. */
void mio_file_reports_exec(void);
/* A report was asked for while the program runs: writes the blocks of layers with inter. */
void mio_file_reports_inter(void);
/* For a forked child: forgets the parent's files and makes the locks new. */
void mio_file_reports_forked(void);

#endif
