#ifndef MIO_COMMON_CLONE_H
#define MIO_COMMON_CLONE_H

/*
 * clone(2) with flags, in whose child run(context) is called on the stack that ends at stack_end, and never returns.
 * storage: thread-local storage for CLONE_SETTLS, as the thread pointer has it; ends: word for CLONE_CHILD_CLEARTID.
 * Returns the child's number, or -errno; -ENOSYS on machines it is not written for. The C library's would run what others put
 * in its place.
 */
long mio_clone(unsigned long flags, void *stack_end, void (*run)(void *context), void *context, void *storage, void *ends);

#endif
