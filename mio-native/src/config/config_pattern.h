#ifndef MIO_CONFIG_PATTERN_H
#define MIO_CONFIG_PATTERN_H

/*
 * A template for file names. Twin of NamePattern: * stands for any number of characters other than /; ? for one
 * character other than /; ** for any number of characters whatever they are. All others, the backslash included,
 * stand for themselves. A template without / is held against the last component of the name, one with / against the
 * whole name as the program gave it.
 *
 * Matching takes no memory and is good in a signal handler.
 */

#include <stddef.h>

struct mio_pattern {
	const char *template;	/* as typed, without braces */
	size_t length;		/* bytes */
	int leaf_only;		/* it has no / */
};

/* A file's name, measured once for all patterns. */
struct mio_pattern_name {
	const char *name;
	const char *leaf;	/* last component */
	const char *end;
};

void mio_pattern_init(struct mio_pattern *pattern, const char *template);

void mio_pattern_name_init(struct mio_pattern_name *measured, const char *name);

int mio_pattern_matches(const struct mio_pattern *pattern, const struct mio_pattern_name *name);

#endif
