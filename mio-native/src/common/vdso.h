#ifndef MIO_COMMON_VDSO_H
#define MIO_COMMON_VDSO_H

/*
 * The address of a function of the vDSO, the library that the kernel maps into every program. NULL where there is no vDSO
 * (under valgrind, on some machines), or where it has no function of that name. Takes no memory and no lock, makes no system
 * call. Any thread.
 */
void *mio_vdso_function(const char *name);

#endif
