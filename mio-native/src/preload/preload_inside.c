/* Functions of the C library that write, ask about files or put descriptors elsewhere, by calls inside the library that MIO cannot take. */
#include "preload.h"

#include <execinfo.h>
#include <fts.h>
#include <ftw.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wordexp.h>

#include "preload_wrappers.h"

/* Writes at the kernel's position. Handlers of faults call it. */
MIO_WRAPPER void mio_pre_backtrace_symbols_fd(void *const *addresses, int count, int fd)
{
	typedef void function(void *const *, int, int);

	if (mio_door_file(fd)) {
		mio_door_pass(fd);
		mio_door_go_past(fd);
	}
	MIO_REAL_NOW(backtrace_symbols_fd, function *)(addresses, count, fd);
}
MIO_EXPORT(backtrace_symbols_fd, mio_pre_backtrace_symbols_fd);
MIO_EXPORT(__backtrace_symbols_fd, mio_pre_backtrace_symbols_fd);

/* Done here instead of in the C library: puts the terminal on the three standard numbers. */
MIO_WRAPPER int mio_pre_login_tty(int fd)
{
	(void)setsid();
	if (mio_pre_ioctl(fd, TIOCSCTTY, NULL) < 0)
		return -1;
	for (int i = 0; i < 3; i++)
		while (mio_pre_dup2(fd, i) < 0 && errno == EBUSY)
			;
	if (fd > 2)
		(void)mio_pre_close(fd);
	return 0;
}
MIO_EXPORT(login_tty, mio_pre_login_tty);

/* The walk finds sizes and times as they are when it begins: what is written during it stays in pages. */
MIO_WRAPPER int mio_pre_ftw(const char *name, __ftw_func_t found, int descriptors)
{
	typedef int function(const char *, __ftw_func_t, int);

	mio_door_publish_everything();
	return MIO_REAL_NOW(ftw, function *)(name, found, descriptors);
}
MIO_EXPORT(ftw, mio_pre_ftw);
MIO_EXPORT(ftw64, mio_pre_ftw);

MIO_WRAPPER int mio_pre_nftw(const char *name, __nftw_func_t found, int descriptors, int flags)
{
	typedef int function(const char *, __nftw_func_t, int, int);

	mio_door_publish_everything();
	return MIO_REAL_NOW(nftw, function *)(name, found, descriptors, flags);
}
MIO_EXPORT(nftw, mio_pre_nftw);
MIO_EXPORT(nftw64, mio_pre_nftw);

MIO_WRAPPER FTS *mio_pre_fts_open(char *const *names, int options, int (*compare)(const FTSENT **, const FTSENT **))
{
	typedef FTS *function(char *const *, int, int (*)(const FTSENT **, const FTSENT **));

	mio_door_publish_everything();
	return MIO_REAL_NOW(fts_open, function *)(names, options, compare);
}
MIO_EXPORT(fts_open, mio_pre_fts_open);
MIO_EXPORT(fts64_open, mio_pre_fts_open);

/* Commands in a word are run by a shell. */
MIO_WRAPPER int mio_pre_wordexp(const char *words, wordexp_t *expanded, int flags)
{
	typedef int function(const char *, wordexp_t *, int);
	int rc;

	if (!(flags & WRDE_NOCMD))
		mio_preload_before_spawn();
	rc = MIO_REAL_NOW(wordexp, function *)(words, expanded, flags);
	if (!(flags & WRDE_NOCMD))
		mio_door_fork_parent();
	return rc;
}
MIO_EXPORT(wordexp, mio_pre_wordexp);
