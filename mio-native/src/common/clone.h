#ifndef MIO_COMMON_CLONE_H
#define MIO_COMMON_CLONE_H

/*
 * clone(2) with these flags. The child calls run(context), which never returns, on the stack that ends at stack_end. storage:
 * the thread-local storage for CLONE_SETTLS, in the form of the thread pointer. ends: the word for CLONE_CHILD_CLEARTID.
 * Returns the child's number, or -errno; -ENOSYS on machines this is not written for. The C library's clone is not used,
 * because it would run whatever others put in its place.
 */
long mio_clone(unsigned long flags, void *stack_end, void (*run)(void *context), void *context, void *storage, void *ends);

#endif
