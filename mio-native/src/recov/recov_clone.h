#ifndef MIO_RECOV_CLONE_H
#define MIO_RECOV_CLONE_H

/*
 * clone(2) with flags, in whose child run(context) is called on the stack that ends at stack_end, and never returns.
 * Returns the child's number, or -errno; -ENOSYS on machines it is not written for. The C library's would run what others put
 * in its place.
 */
long mio_recov_clone(unsigned long flags, void *stack_end, void (*run)(void *context), void *context);

#endif
