#ifndef MIO_STATS_AUTO_H
#define MIO_STATS_AUTO_H

/* What pf/auto did for one open file. The members are those of the record AutoSnapshot in Java, which says what they mean. */

#include <stdint.h>

#include "stats.h"

struct mio_stats_decision {
	int64_t ns;
	const char *what, *reason;
};

struct mio_stats_auto {
	enum mio_stats_event event;
	const char *file;
	const char *tag;	/* "" for none */
	const char *unit;	/* bytes, kbytes, mbytes, gbytes, tbytes */
	int64_t opened_ns, now_ns;
	const char *state;
	int64_t looks, hints, hint_bytes, cached;
	const struct mio_stats_decision *decisions;
	int count;		/* number of decisions */
	int64_t more;		/* how many decisions followed that are not kept */
};

void mio_stats_auto_classic(const struct mio_stats_auto *automatic, struct mio_text *text);
void mio_stats_auto_json(const struct mio_stats_auto *automatic, struct mio_text *text);

#endif
