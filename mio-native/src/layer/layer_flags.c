#include "layer_flags.h"

#include <fcntl.h>

/* The kernel's bit for O_LARGEFILE. The C library defines O_LARGEFILE as 0 where every file may be large; the kernel shows the bit all the same. */
#if defined(__aarch64__) || defined(__arm__)
#define KERNEL_LARGEFILE 0x20000
#elif defined(__powerpc__)
#define KERNEL_LARGEFILE 0x10000
#else
#define KERNEL_LARGEFILE 0x8000
#endif

/* In the order in which reports show the names. O_SYNC includes O_DSYNC, so it comes first. */
static const struct {
	int flag;
	const char *name;
} flags[] = {
	{O_CREAT, "  CREAT"},	{O_EXCL, "  EXCL"},   {O_TRUNC, "  TRUNC"},   {O_APPEND, "  APPEND"},
	{O_SYNC, "  SYNC"},	{O_DSYNC, "  DSYNC"}, {O_DIRECT, "  DIRECT"}, {O_NOFOLLOW, "  NOFOLLOW"},
};

int mio_flags_shown(int oflags)
{
	return oflags & ~(O_CLOEXEC | KERNEL_LARGEFILE);
}

void mio_flags_names(int oflags, struct mio_text *names)
{
	int access = oflags & O_ACCMODE;

	mio_text_add(names, access == O_RDONLY ? "RDONLY" : access == O_WRONLY ? "WRONLY" : "RDWR");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if ((oflags & flags[i].flag) != flags[i].flag)
			continue;
		if (flags[i].flag == O_DSYNC && (oflags & O_SYNC) == O_SYNC)
			continue;
		mio_text_add(names, flags[i].name);
	}
}
