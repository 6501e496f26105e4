#ifndef MIO_CONFIG_PATTERN_H
#define MIO_CONFIG_PATTERN_H

/*
 * A template for file names. Twin of NamePattern. * stands for any number of characters other than /; ? for one
 * character other than /; ** for any number of characters, / included. All other characters, the backslash included,
 * stand for themselves. A template without / is compared with the last component of the name, one with / with the
 * whole name as the program gave it.
 *
 * Matching allocates no memory and may be done in a signal handler.
 */

#include <stddef.h>

struct mio_pattern {
	const char *template;	/* the text as typed, without braces */
	size_t length;		/* bytes of template */
	int leaf_only;		/* 1: the template has no / */
};

/* The name of a file, with what all patterns need to know of it. */
struct mio_pattern_name {
	const char *name;
	const char *leaf;	/* the last component of name */
	const char *end;
};

void mio_pattern_init(struct mio_pattern *pattern, const char *template);

void mio_pattern_name_init(struct mio_pattern_name *measured, const char *name);

int mio_pattern_matches(const struct mio_pattern *pattern, const struct mio_pattern_name *name);

#endif
