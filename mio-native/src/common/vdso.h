#ifndef MIO_COMMON_VDSO_H
#define MIO_COMMON_VDSO_H

/*
 * A function of the vDSO, the library that the kernel maps into every program: its address, or NULL where there is no vDSO (under
 * valgrind, on some machines), or none of that name. Takes no memory and no lock, makes no call. Any thread.
 */
void *mio_vdso_function(const char *name);

#endif
