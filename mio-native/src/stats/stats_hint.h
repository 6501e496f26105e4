#ifndef MIO_STATS_HINT_H
#define MIO_STATS_HINT_H

/*
 * Where the report is, said to a person once the program has ended: for `mio run`, which sets MIO_HINT to the number of the
 * process that it becomes. Twin of ReportHint.
 */

#include "../common/text.h"

/* The number MIO_HINT names; 0 if value is NULL or no number. */
int mio_stats_hint_process(const char *value);

/* report in PATH; look at it with: mio stats PATH. The second one as a shell reads it. */
void mio_stats_hint_add(struct mio_text *text, const char *path);

#endif
