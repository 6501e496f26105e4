/*
 * Opens. The caller makes the program's own open first. Then the descriptor gets layers if a rule matches, or if its file has pages by another open.
 * Whatever goes wrong leaves the program with its plain descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/vfs.h>

#include "../common/clock.h"
#include "../common/raw.h"
#include "../os/os_file.h"
#include "../os/os_layer.h"
#include "../pf/pf_auto.h"
#include "../pf/pf_layer.h"
#include "door_table.h"

/* Most names differ in the first characters. */
static inline int begins(const char *name, const char *directory)
{
	for (; *directory; name++, directory++) {
		if (*name != *directory)
			return 0;
	}
	return *name == '/' || *name == 0;
}

static int is_device_name(const char *name)
{
	return name[0] == '/' && begins(name, "/dev") && !begins(name, "/dev/shm");
}

/* 1 for names in /proc and /sys. These are no real files: their content depends on who reads them, and when. */
static int is_passed_name(const char *name)
{
	return name[0] == '/' && (begins(name, "/proc") || begins(name, "/sys"));
}

/* Asked before the open: what a rule adds to the flags is only for files and block devices. */
static int is_block_device(const char *name)
{
	struct stat found;

	return mio_raw4(SYS_newfstatat, AT_FDCWD, name, &found, 0) == 0 && S_ISBLK(found.st_mode);
}

/*
 * 1 if the file system is one whose files are passed, where the name does not tell. Only files without size and blocks are asked about, as such files
 * always look so. Twin: PassedThrough.java.
 */
static int is_passed_place(int fd, const struct stat *found)
{
	struct statfs place;

	if (found->st_size != 0 || found->st_blocks != 0 || mio_raw2(SYS_fstatfs, fd, &place) < 0)
		return 0;
	switch ((uint32_t)place.f_type) {
	case 0x00009fa0:	/* proc */
	case 0x62656572:	/* sysfs */
	case 0x64626720:	/* debugfs */
	case 0x74726163:	/* tracefs */
	case 0x73636673:	/* securityfs */
	case 0x0027e0eb:	/* cgroup */
	case 0x63677270:	/* cgroup2 */
	case 0xcafe4a11:	/* bpf */
	case 0xde5e81e4:	/* efivarfs */
	case 0x19800202:	/* mqueue */
		return 1;
	default:
		return 0;
	}
}

int mio_door_concerns(const char *name)
{
	return mio_door_is_open() && !mio_door_thread.inside && !mio_door_is_no_place(name, 1) &&
	       (mio_pf_file_any() || (!is_passed_name(name) && !is_device_name(name) && mio_stacks_match(name)));
}

int mio_door_opening(struct mio_door_opening *opening, int directory, const char *name, int oflags, int mode)
{
	if (!mio_door_is_open() || mio_door_thread.inside || mio_door_is_no_place(name, 1))
		return 0;
	return mio_door_opening_with(opening, mio_stacks_match(name), directory, name, oflags, mode);
}

/*
 * For a file with pages that this open truncates: until the cut ends nobody is in the pages. The thread stays inside, as a signal handler would wait
 * for what its own thread holds.
 */
static void begin_cut(struct mio_door_opening *opening, int directory)
{
	struct stat found;

	if (mio_raw4(SYS_newfstatat, directory, opening->name, &found, 0) < 0 || !S_ISREG(found.st_mode))
		return;
	mio_door_thread.inside = 1;
	opening->cut = mio_pf_file_find((uint64_t)found.st_dev, (uint64_t)found.st_ino);
	if (opening->cut)
		mio_pf_file_cutting_begin(opening->cut);
	else
		mio_door_left();
}

int mio_door_opening_with(struct mio_door_opening *opening, const struct mio_stack_spec *spec, int directory,
			  const char *name, int oflags, int mode)
{
	if (!mio_door_is_open() || mio_door_thread.inside || mio_door_is_no_place(name, 1) || (oflags & (O_PATH | O_DIRECTORY)))
		return 0;
	mio_door_check_fork();
	/* pf/auto alone, which may decide late, gives a device nothing. */
	if (is_passed_name(name) || (spec && is_device_name(name) && (mio_stacks_leaves_small(spec) || !is_block_device(name))))
		spec = NULL;
	mio_stacks_show_match(name);
	if (!spec && !mio_pf_file_any())
		return 0;
	memset(opening, 0, sizeof(*opening));
	opening->name = name;
	opening->spec = spec;
	opening->oflags = spec ? mio_stacks_oflags(spec, oflags) : oflags;
	opening->mode = spec ? mio_stacks_mode(spec, mode) : mode;
	if ((opening->oflags & O_TRUNC) && mio_pf_file_any())
		begin_cut(opening, directory);
	/* An open that may wait does not read the clock: add_layers takes the time a little later. */
	opening->may_wait = mio_door_may_wait(spec, opening->oflags);
	opening->began_ns = spec && !opening->may_wait ? mio_clock_ns() : 0;
	opening->shares = mio_door_shares();
	return 1;
}

static void end_cut(struct mio_door_opening *opening, int cut)
{
	if (opening->cut) {
		mio_door_thread.inside = 1;
		mio_pf_file_cutting_end(opening->cut, cut);
		mio_pf_file_leave(opening->cut);
		opening->cut = NULL;
		mio_door_left();
	}
}

/* 1 if fd is the file that begin_cut found. The name may have become another file's since, or the kernel resolves it from another root (openat2). */
static int is_cut(const struct mio_door_opening *opening, int fd)
{
	struct mio_pf_file *pages = NULL;
	struct stat found;

	if (opening->cut && mio_raw2(SYS_fstat, fd, &found) == 0)
		pages = mio_pf_file_find((uint64_t)found.st_dev, (uint64_t)found.st_ino);
	if (pages)
		mio_pf_file_leave(pages);
	return pages && pages == opening->cut;
}

int mio_door_open_failed(struct mio_door_opening *opening, int error)
{
	int again = 0;

	if (opening->spec) {
		mio_door_thread.inside = 1;
		again = mio_stacks_open_failed(opening->spec, opening->name, error, &opening->tries);
		if (!opening->cut)
			mio_door_left();
	}
	if (!again)
		end_cut(opening, 0);
	return again;
}

/* The layers cannot be made. If the file has pages, nothing keeps them in agreement with this descriptor: they go. */
static void go_without(const struct stat *found)
{
	struct mio_pf_file *pages = mio_pf_file_find((uint64_t)found->st_dev, (uint64_t)found->st_ino);

	if (pages) {
		mio_pf_file_go_past(pages);
		mio_pf_file_leave(pages);
	}
}

/*
 * 1 if the file has pages by another open. cuts: the open truncated it, and its pages were not told, because they came meanwhile or were not found by
 * the name. Dirty bytes in them count as written before the cut.
 */
static int has_pages(int fd, const struct stat *found, int cuts)
{
	struct mio_pf_file *pages = mio_pf_file_find((uint64_t)found->st_dev, (uint64_t)found->st_ino);

	if (!pages)
		return 0;
	if (cuts) {
		mio_pf_file_cutting_begin(pages);
		/* A page that was being written when the kernel truncated the file may have arrived after that. */
		mio_raw2(SYS_ftruncate, fd, 0);
		mio_pf_file_cutting_end(pages, 1);
		mio_pf_file_forget(pages);
	}
	mio_pf_file_leave(pages);
	return 1;
}

/* Descriptors that are just getting layers, in any thread: a thread that looks for strangers does not count them. Further ones count as strangers. */
#define COMING 32

static _Atomic int coming[COMING];	/* number + 1; 0: free */

/* Enters fd in coming. The caller sets the result to 0 once the table leads from fd to its layers, or fd has none. NULL: no place is free. */
static _Atomic int *comes(int fd)
{
	for (int i = 0; i < COMING; i++) {
		int nobody = 0;

		if (atomic_compare_exchange_strong(&coming[i], &nobody, fd + 1))
			return &coming[i];
	}
	return NULL;
}

static int is_coming(int fd)
{
	int found = 0;

	for (int i = 0; i < COMING && !found; i++)
		found = atomic_load(&coming[i]) == fd + 1;
	return found;
}

void mio_door_open_forked(void)
{
	memset(coming, 0, sizeof(coming));
}

/* 1 for descriptors that may have the file open and are no strangers. */
static int is_known(const void *of, int fd)
{
	(void)of;
	/* The table once more: a descriptor that was in coming may have gone to the table meanwhile. */
	return mio_door_layered(fd) || mio_os_is_own_descriptor(fd) || is_coming(fd) || mio_door_layered(fd);
}

int mio_door_strangers(uint64_t device, uint64_t inode, struct mio_os_descriptors *found)
{
	return mio_os_descriptors_count(device, inode, is_known, NULL, found);
}

/*
 * What others may do with the file by descriptors without layers. 0: there are none. 1: they read, so what MIO writes has to reach the kernel at
 * once. 2: they write, or it is not known.
 */
static int strangers(const struct mio_open_request *request)
{
	struct mio_os_descriptors found;
	int reads = (request->oflags & O_ACCMODE) == O_RDONLY;

	if (mio_door_strangers(request->device, request->inode, &found) < 0)
		return 2;
	/* Do not count the descriptor that was just opened, unless it was already left out as one of coming. */
	if (is_coming(request->fd))
		;
	else if (reads)
		found.readers--;
	else
		found.writers--;
	return found.writers > 0 ? 2 : found.readers > 0 && !reads;
}

static void add_layers(const struct mio_door_opening *opening, int fd, const struct stat *found)
{
	struct mio_open_request request = {
		.name = opening->name,
		.oflags = opening->oflags,
		.mode = (int)(found->st_mode & 07777),
		.size_bytes = S_ISBLK(found->st_mode) ? mio_os_file_size(fd) : found->st_size,
		.opened_ns = opening->spec && !opening->began_ns ? mio_clock_ns() : opening->began_ns,
		.open_ns = opening->began_ns ? mio_clock_ns() - opening->began_ns : 0,
		.device = (uint64_t)found->st_dev,
		.inode = (uint64_t)found->st_ino,
		.sector_bytes = found->st_blksize,
		.is_device = S_ISBLK(found->st_mode),
		.fd = fd,
	};
	struct mio_file *file = mio_door_file_make();
	int others = 0;

	if ((opening->oflags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		mio_pf_mapped_is_new(request.device, request.inode);
	if (opening->spec && mio_stacks_has_cache(opening->spec) && !request.is_device)
		others = strangers(&request);
	request.cacheable = others < 2 && !request.is_device && !(opening->oflags & MIO_DOOR_NO_CACHE_FLAGS) && !mio_door_is_foreign() &&
			    !mio_door_is_unseen(request.device, request.inode);
	if (!file || mio_stack_open(opening->spec, &request, &file->stack) < 0) {
		if (file)
			mio_door_file_give(file);
		go_without(found);
		return;
	}
	/* Once more: an open made before the pages were there did not know of them; a later one knows. */
	if (others < 2 && mio_door_has_threads() && mio_stack_has_cache(file->stack))
		others = strangers(&request);
	if (others == 1)
		mio_pf_file_go_through(mio_stack_file(file->stack));
	else if (others == 2)
		mio_pf_file_go_past(mio_stack_file(file->stack));
	file->oflags = opening->oflags;
	file->position = 0;
	file->shares = opening->shares;
	atomic_store_explicit(&file->rests, 0, memory_order_relaxed);
	atomic_store_explicit(&file->rested, opening->is_late, memory_order_relaxed);
	atomic_store(&file->descriptors, 0);
	/* Reads may have passed by the layers just now, so the position is the kernel's. */
	atomic_store(&file->way, !mio_stack_is_own(file->stack) ? MIO_WAY_KERNEL : opening->is_late ? MIO_WAY_SHARED : MIO_WAY_OURS);
	if (mio_stack_is_own(file->stack))
		mio_door_has_positions();
	if (opening->is_late && mio_door_waited_is_read(fd))
		mio_stack_stay(file->stack, "a read may have gone by");
	if (opening->is_late ? !mio_door_table_replace(fd, file) : !mio_door_table_add(fd, file)) {
		mio_stack_close(file->stack);
		mio_door_file_give(file);
		/* Late: the number was closed meanwhile. */
		if (!opening->is_late)
			go_without(found);
	}
}

/*
 * 1 for a small file that is only read, under pf/auto alone: the kernel has it in its cache anyway. It gets layers only if it has pages by another
 * open. A cache that begins later finds this descriptor like any other that has no layers.
 */
static int is_left(const struct mio_door_opening *opening, const struct stat *found)
{
	return opening->spec && (opening->oflags & O_ACCMODE) == O_RDONLY && mio_stacks_leaves_small(opening->spec) &&
	       !mio_pf_auto_may_gain(opening->oflags, found->st_size);
}

static void look(struct mio_door_opening *opening, int fd, const struct stat *found)
{
	int is_device = S_ISBLK(found->st_mode);

	if (!is_device && (!S_ISREG(found->st_mode) || is_passed_place(fd, found)))
		return;
	if (!is_device && is_left(opening, found))
		opening->spec = NULL;
	/* The number was closed where MIO could not see it, and is another open's by now. */
	if (opening->is_late && !mio_door_only_reads(fd))
		return;
	/* The access mode 3 (for ioctl alone) moves no bytes; MIO's own descriptors would. */
	if ((has_pages(fd, found, opening->cuts) || opening->spec) && (opening->oflags & O_ACCMODE) != O_ACCMODE) {
		_Atomic int *place = comes(fd);

		add_layers(opening, fd, found);
		if (place)
			atomic_store(place, 0);
	}
}

void mio_door_look(struct mio_door_opening *opening, int fd, const struct stat *found)
{
	struct stat own;

	if (found || mio_raw2(SYS_fstat, fd, &own) == 0)
		look(opening, fd, found ? found : &own);
}

void mio_door_opened(struct mio_door_opening *opening, int fd)
{
	int cut = is_cut(opening, fd);

	opening->cuts = (opening->oflags & O_TRUNC) && !cut;
	end_cut(opening, cut);
	mio_door_new_descriptor(fd);
	mio_door_thread.inside = 1;
	if (!opening->waits || !mio_door_wait(opening, fd))
		mio_door_look(opening, fd, NULL);
	mio_door_left();
	if (fd <= MIO_DOOR_STANDARD_MAX)
		mio_door_standard(fd);
}

void mio_door_opened_beside(const char *name, int oflags, int fd)
{
	struct mio_door_opening opening = {.name = name, .oflags = oflags, .shares = mio_door_shares()};

	if (!mio_pf_file_any() || !mio_door_is_open() || mio_door_thread.inside || mio_door_is_no_place(name, 1) || (oflags & (O_PATH | O_DIRECTORY)))
		mio_door_new_descriptor(fd);
	else
		mio_door_opened(&opening, fd);
}
