#ifndef MIO_RECOV_FAMILY_H
#define MIO_RECOV_FAMILY_H

/* Ends a process, and those it has started that are still its children. */
void mio_recov_family_kill(int process);

#endif
