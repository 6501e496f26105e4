#ifndef MIO_STATS_STATS_H
#define MIO_STATS_STATS_H

/* Reports: what layers counted, as text, and where it goes. Twin of io.mio.stats. Format: docs/format/stats.md. */

#include <stdint.h>

#include "../common/text.h"

struct mio_config;

/* Why a report is made. */
enum mio_stats_event { MIO_STATS_CLOSE, MIO_STATS_EXIT, MIO_STATS_INTER };

/* close, exit, inter. */
const char *mio_stats_event_label(enum mio_stats_event event);

/* Where the reports of a process go; made once. Opens nothing before there is something to report. */
struct mio_stats_output;

/* At the start of the process: environ, directory and name of the program are looked at here. engine: io_uring, threads or sync, asked for when the header is written. NULL without memory. */
struct mio_stats_output *mio_stats_output_make(const struct mio_config *config, const char *(*engine)(void));

/*
 * Processes that begin others share the file: the first of them to have something to say begins it anew, the others add to it,
 * each with a header of its own (stats_file.h says how they know). mio_stats_output_make takes MIO_STATS_OWNER from environ; here it
 * can be given: a token, or NULL for the first process of all.
 */
void mio_stats_output_owner(struct mio_stats_output *output, const char *token);
/*
 * What MIO_STATS_OWNER has to be in the environment of the programs that this process executes, itself or by a child; set once at
 * its begin is enough. From the call on this process counts as one of several.
 */
const char *mio_stats_output_token(struct mio_stats_output *output);

/* What tells the processes that one has begun from others, as far as this one knows: the token, without its effect. */
const char *mio_stats_output_tree(const struct mio_stats_output *output);
/* The name of an output file as a path from the root, seen from where the process began; with %p and the like filled in. */
void mio_stats_output_path(const struct mio_stats_output *output, const char *name, struct mio_text *path);

/* Debug lines, each ended, to the file of MIO_STATS. opening: those of an open, which belong to the opening part; a separator follows. */
void mio_stats_output_debug(struct mio_stats_output *output, const char *text, int opening);

/* 1 if there is no such file, and other users may make it in its directory: made by this one it would be closed to them. */
int mio_stats_others_make(const char *path);

/* The process is about to change its rights or its root: the file of this target, which stays, can be written after that as well as before. */
void mio_stats_output_stay(struct mio_stats_output *output, const char *target);

/* In a forked child: what the parent has in hand is the parent's; the child is a process of its own that adds to the file. */
void mio_stats_output_forked(struct mio_stats_output *output);

/* The process ends, and its reports are written: what could not be written so far is. */
void mio_stats_output_end(struct mio_stats_output *output);

/* The process ends, and its reports are written: to the one that MIO_HINT names, on a terminal, where they are. Once. */
void mio_stats_output_hint(struct mio_stats_output *output);

/* What a layer has to say: adds a block, classic text or one line of JSON, or nothing. Any thread, also after the close. */
struct mio_stats_source {
	void (*block)(void *context, enum mio_stats_event event, int json, struct mio_text *text);
	void *context;
	int (*moved)(void *context);	/* 1 if the program has read or written by it; NULL: another layer tells */
};

/* The report of one open file, lowest layer first. Embedded in the open; entered among the open ones while it is there. */
struct mio_file_report;

struct mio_file_report *mio_file_report_make(struct mio_stats_output *output);
/* target: stats file, "mioout", or NULL: counted, never written. inter: reports on a signal too. */
void mio_file_report_add(struct mio_file_report *report, const char *target, int inter, struct mio_stats_source source);
int mio_file_report_has_inter(const struct mio_file_report *report);
/* Enter it among the open ones, once all is added. */
void mio_file_report_open(struct mio_file_report *report);
/* The file was closed: writes the report; then it is free. */
void mio_file_report_close(struct mio_file_report *report);

/* The process ends: a report of every file still open, in the order they were opened. */
void mio_file_reports_exit(void);
/* Another program comes in this process: the same of those that the program has used. What is open for the other alone is no affair of its. */
void mio_file_reports_exec(void);
/* Somebody asked while the program runs: of the layers that have inter. */
void mio_file_reports_inter(void);
/* In a forked child: forget the parent's files, take fresh locks. */
void mio_file_reports_forked(void);

#endif
