#ifndef MIO_RECOV_FAMILY_H
#define MIO_RECOV_FAMILY_H

/* Kills a process, and the processes it has started, directly or not, that are still its descendants. */
void mio_recov_family_kill(int process);

#endif
