/*
 * Opens MIO's descriptors through the program's own. Twin of NativeOpening.
 *
 * Buffered: with the access the program has, and with reading too where possible, for the pages around a write. Where the system does not let the
 * file be opened anew (its mode has changed, no /proc), a copy of the program's descriptor serves if it has the access and no mode of its own.
 *
 * Direct: on file systems where it does what it promises, by the limits they tell or by trying.
 */
#include <errno.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/text.h"
#include "os_call.h"
#include "os_direct.h"
#include "os_file.h"
#include "os_number.h"
#include "os_own.h"
#include "os_staging.h"

/* An offset behind the end of every file. */
#define BEYOND ((int64_t)1 << 61)

struct opening {
	int fd;
	int oflags;
	int access;		/* the access wanted */
	int direct;
	void (*say)(void *context, const char *line);
	void *context;
};

static void say(const struct opening *opening, const char *what, int error, const char *then)
{
	char words[MIO_OS_WORDS_BYTES];
	struct mio_text line = {0};

	mio_text_add(&line, what);
	if (error < 0)
		mio_text_add(&line, mio_os_words(error, words));
	mio_text_add(&line, then);
	if (!line.failed)
		opening->say(opening->context, mio_text_string(&line));
	mio_text_clear(&line);
}

static int is_refused(int rc)
{
	return rc == -EACCES || rc == -EPERM || rc == -EROFS || rc == -ENOENT || rc == -ETXTBSY;
}

static int own_access(int oflags)
{
	switch (oflags & O_ACCMODE) {
	case O_RDONLY:
		return MIO_OS_READ;
	case O_WRONLY:
		return MIO_OS_WRITE;
	default:
		return MIO_OS_READ_WRITE;
	}
}

static int reopen(const struct opening *opening, int flags)
{
	struct mio_os_standard taken;
	int rc;

	mio_os_number_standard_begin(&taken);
	/* O_NOATIME as the program asked for it; of all opens that share the descriptor, the first decides. */
	rc = mio_os_file_reopen_with(opening->fd, flags | (opening->oflags & O_NOATIME));
	mio_os_number_standard_end(&taken);
	return rc;
}

/* Opens the descriptor that opening describes. A kept number, or -errno. */
static int open_number(void *context)
{
	const struct opening *opening = context;
	int flags = opening->access | (opening->direct ? O_DIRECT : 0);
	int rc = mio_os_number_room();

	if (rc < 0)
		return rc;
	rc = reopen(opening, flags);
	if (rc >= 0)
		return mio_os_number_keep(rc, 1);
	if (!opening->direct && is_refused(rc) && !(opening->oflags & (O_APPEND | O_DIRECT)) &&
	    own_access(opening->oflags) == opening->access)
		return mio_os_number_copy(opening->fd);
	return rc;
}

static int open_one(struct opening *opening, struct mio_os_own *own, int access, int direct,
		    struct mio_os_descriptor **descriptor)
{
	opening->access = access;
	opening->direct = direct;
	return mio_os_shared_descriptor(own->shared, access, direct, open_number, opening, descriptor);
}

/* Opens the buffered descriptor, if possible with reading. Returns the access it has, or -errno. */
static int open_buffered(struct opening *opening, struct mio_os_own *own)
{
	int wanted = own_access(opening->oflags);
	int access = wanted == MIO_OS_READ ? MIO_OS_READ : MIO_OS_READ_WRITE;
	int rc = open_one(opening, own, access, 0, &own->buffered);

	if (is_refused(rc) && wanted == MIO_OS_WRITE) {
		access = MIO_OS_WRITE;
		rc = open_one(opening, own, access, 0, &own->buffered);
	}
	return rc < 0 ? rc : access;
}

/* Opens a descriptor for writing only, at the end. */
static int open_append_number(void *context)
{
	const struct opening *opening = context;
	int rc = mio_os_number_room();

	if (rc >= 0)
		rc = reopen(opening, O_WRONLY | O_APPEND);
	return rc < 0 ? rc : mio_os_number_keep(rc, 1);
}

int mio_os_own_appending(struct mio_os_own *own, int fd, struct mio_os_descriptor **descriptor)
{
	struct opening opening = {.fd = fd};

	return mio_os_shared_descriptor(own->shared, MIO_OS_SHARED_APPEND, 0, open_append_number, &opening, descriptor);
}

/*
 * Opens a descriptor for reading only, whatever the program's is for. No copy of the program's, which would share its state. Does not wait for a
 * lease.
 */
static int open_folio_number(void *context)
{
	const struct opening *opening = context;
	int rc = mio_os_number_room();

	if (rc >= 0)
		rc = reopen(opening, O_RDONLY | O_NONBLOCK);
	return rc < 0 ? rc : mio_os_number_keep(rc, 1);
}

static int open_folios(struct opening *opening, struct mio_os_own *own)
{
	int rc = mio_os_shared_descriptor(own->shared, MIO_OS_SHARED_FOLIOS, 0, open_folio_number, opening, &own->buffered);

	/*
	 * Without the second there is nothing to read ahead by, but the first stays: closing it now would drop the process's locks on the file.
	 */
	if (rc >= 0 && mio_os_shared_descriptor(own->shared, MIO_OS_SHARED_FOLIOS, 1, open_folio_number, opening, &own->other) < 0)
		own->other = NULL;
	return rc;
}

/* What direct reads demand, found by trying: the smaller of 512 and 4096 that the kernel takes; 0 if neither. */
static size_t tried(struct mio_os_descriptor *direct, int readable)
{
	uint32_t place;
	size_t found = 0;
	void *stage;
	int fd;

	if (!readable)
		return MIO_OS_ALIGN_MOST;
	stage = mio_os_staging_take();
	if (!stage)
		return 0;
	fd = mio_os_descriptor_hold(direct, &place);
	/* A shorter read proves nothing: in such a small file the kernel may not have looked. */
	if (mio_os_file_read(fd, stage, MIO_OS_ALIGN_LEAST, 0, MIO_OS_ALIGN_LEAST, 0) == MIO_OS_ALIGN_LEAST)
		found = MIO_OS_ALIGN_LEAST;
	else if (mio_os_file_read(fd, stage, MIO_OS_ALIGN_MOST, 0, MIO_OS_ALIGN_MOST, 0) >= 0)
		found = MIO_OS_ALIGN_MOST;
	mio_os_descriptor_let_go(direct, place);
	mio_os_staging_give(stage);
	return found;
}

static void set_limits(struct mio_os_own *own, struct mio_os_descriptor *direct, size_t offset_align_bytes,
		       size_t memory_align_bytes)
{
	own->direct = direct;
	own->align_bytes = offset_align_bytes > MIO_OS_ALIGN_LEAST ? offset_align_bytes : MIO_OS_ALIGN_LEAST;
	own->memory_align_bytes = memory_align_bytes > 1 ? memory_align_bytes : 1;
}

static void open_direct(struct opening *opening, struct mio_os_own *own, int access, enum mio_os_place place)
{
	struct mio_os_descriptor *direct = NULL;
	struct mio_os_direct_limits limits;
	size_t found;
	int told;
	int rc;

	if (place == MIO_OS_PLACE_MEMORY || place == MIO_OS_PLACE_REMOTE) {
		say(opening,
		    place == MIO_OS_PLACE_MEMORY
			    ? "direct: the file system is in memory"
			    : "direct: the file system is another machine's or a program's",
		    0, "; buffered instead");
		return;
	}
	told = mio_os_direct_limits_of(opening->fd, &limits);
	if (told == MIO_OS_DIRECT_TOLD && limits.offset_align_bytes == 0) {
		say(opening, "direct: the file takes no direct I/O; buffered instead", 0, "");
		return;
	}
	rc = told < 0 ? told : open_one(opening, own, access, 1, &direct);
	if (rc < 0) {
		say(opening, "direct: ", rc, "; buffered instead");
		return;
	}
	if (told == MIO_OS_DIRECT_TOLD) {
		set_limits(own, direct, limits.offset_align_bytes, limits.mem_align_bytes);
		return;
	}
	found = tried(direct, own->readable);
	if (found == 0)
		say(opening, "direct: the file system refuses it; buffered instead", 0, "");
	else
		set_limits(own, direct, found, found);
}

/* Behind the end nothing is read, but the flag is checked all the same. */
static int takes_uncached(const struct mio_os_own *own)
{
	uint32_t place;
	char byte;
	int fd = mio_os_descriptor_hold(own->buffered, &place);
	int64_t rc = mio_os_file_read(fd, &byte, 1, BEYOND, 1, MIO_OS_DONTCACHE);

	mio_os_descriptor_let_go(own->buffered, place);
	return rc != -EOPNOTSUPP;
}

static int fill(struct opening *opening, struct mio_os_own *own, const struct mio_os_wish *wish,
		enum mio_os_place place)
{
	int access = open_buffered(opening, own);

	if (access < 0)
		return access;
	own->readable = access != MIO_OS_WRITE;
	own->writable = access != MIO_OS_READ;
	own->remote = place == MIO_OS_PLACE_REMOTE || place == MIO_OS_PLACE_SHARED;
	own->synced = (opening->oflags & O_DSYNC) != 0;
	own->synced_metadata = (opening->oflags & O_SYNC) == O_SYNC;
	own->uncached = wish->uncached;
	own->buffered_writes = wish->buffered_writes;
	own->unpaged = wish->unpaged;
	if (own->uncached && own->readable && !takes_uncached(own)) {
		own->uncached = 0;
		say(opening, "uncached: not known to the kernel or the file system; buffered instead", 0, "");
	}
	if (wish->direct && !atomic_load(&own->shared->buffered_only))
		open_direct(opening, own, access, place);
	own->backend = mio_os_backend_choose(wish->asynchronous, !own->remote && !own->synced,
					     opening->say, opening->context);
	return 0;
}

static void say_nothing(void *context, const char *line)
{
	(void)context;
	(void)line;
}

int mio_os_own_open(int fd, int oflags, const char *name, const struct mio_os_wish *wish,
		    void (*say_line)(void *context, const char *line), void *context, struct mio_os_own **opened)
{
	struct opening opening = {
		.fd = fd, .oflags = oflags, .say = say_line ? say_line : say_nothing, .context = context};
	struct mio_os_identity identity;
	struct mio_os_own *own;
	int rc = mio_os_file_identity(fd, &identity);

	(void)name;	/* the writer of the line adds it */
	if (rc < 0)
		return rc;
	if (!identity.has_blocks)
		return 1;
	own = mio_memory_take(sizeof(*own));
	if (!own)
		return -ENOMEM;
	own->process = mio_os_own_process();
	own->align_bytes = MIO_OS_ALIGN_LEAST;
	own->memory_align_bytes = 1;
	own->writes = !wish->folios && own_access(oflags) != MIO_OS_READ;
	own->shared = mio_os_shared_enter(identity.device, identity.inode, own->writes);
	rc = !own->shared ? -ENOMEM : wish->folios ? open_folios(&opening, own) : fill(&opening, own, wish, identity.place);
	if (rc < 0) {
		/* Only what other opens have is open then, so no lock is dropped. */
		if (own->shared)
			mio_os_shared_leave(own->shared, own->writes);
		mio_memory_give(own, sizeof(*own));
		return rc;
	}
	*opened = own;
	return 0;
}
