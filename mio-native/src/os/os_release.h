#ifndef MIO_OS_RELEASE_H
#define MIO_OS_RELEASE_H

/* A release of Linux as one number. */
#define MIO_OS_RELEASE(major, minor) ((major) * 1000 + (minor))

/* The release of the running kernel; 0: not known. errno is left alone. */
int mio_os_release(void);

#endif
