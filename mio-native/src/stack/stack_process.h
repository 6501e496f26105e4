#ifndef MIO_STACK_PROCESS_H
#define MIO_STACK_PROCESS_H

/* What the stacks of a process share: the configuration and the output of reports. */

#include "../stats/stats.h"
#include "stack.h"

struct mio_stats_output *mio_stack_output(void);

/* The stack of a file that no rule matches: os alone. */
const struct mio_stack_spec *mio_stack_unruled(void);

/* Notes that a file whose rule says inter has been opened. */
void mio_stack_has_inter(void);

/* Write debug lines, if MIO_DEBUG asks for them. */
void mio_stack_debug_open(const struct mio_stack_spec *spec, const char *name);
void mio_stack_debug_line(const char *layer, const char *name, const char *line);

/* Write the lines of os/debug, which the rule asks for. layer: name of the last layer. */
void mio_stack_debug_os_open(const char *layer, const struct mio_open_request *request, int oflags);
void mio_stack_debug_os_close(const char *layer, const char *name);

#endif
