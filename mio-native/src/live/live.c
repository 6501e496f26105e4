/*
 * The live counter file of the process. See live.h.
 *
 * Addresses for all records that the file can have are mapped at once. They are used as far as the file has space, which is
 * allocated before: touching a page that a full file system cannot provide would raise a signal that ends the program. Records
 * never move. When the file grows it is opened by its name; no descriptor is kept, because the program could close it.
 */
#include "live.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "../common/clock.h"
#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "live_place.h"

#define MAGIC UINT64_C(0x0a4556494c4f494d)	/* MIOLIVE and a line feed */
#define RECORD ((size_t)MIO_LIVE_RECORD_BYTES)
#define SPACE (RECORD * MIO_LIVE_RECORDS_MAX)
#define STEP 32			/* number of records by which the file grows */
#define SPARE 20		/* free records to have before an open: for its layers, and for threads that come to the file later */
#define BODY_BYTES (RECORD - MIO_LIVE_BODY)

/* OFF: no file is wanted, or it cannot be made. READY: it will be made with the first layer. FULL: as ON, but it does not grow any more. */
enum state { OFF, READY, ON, FULL };

static struct mio_lock lock;
static _Atomic int state;
static char *_Atomic base;		/* beginning of the mapped file, which is the header */
static int64_t records;			/* number of records that the file has space for, the header included */
static uint16_t freed[MIO_LIVE_RECORDS_MAX];	/* numbers of records that were given back */
static int free_count;
static int64_t next_fresh;		/* records from this number on were never used */
static char chosen[MIO_LIVE_PATH_BYTES];
static char path[MIO_LIVE_PATH_BYTES];
static const char *program = "";
static int64_t pid;
static uint64_t inode;
/* While calls that may change the user are made: their number; 1 if the file was removed; and state and user before the first call. */
static int changing, is_away, state_then;
static long user;

void mio_live_begin(const char *setting, const char *directory, const char *name)
{
	int kind = mio_live_setting_kind(setting);
	size_t length;

	program = name;
	if (kind == 1)
		return;
	chosen[0] = 0;
	if (kind == 0) {
		size_t base_length = *setting == '/' ? 0 : strlen(directory);

		length = strlen(setting);
		if (base_length + 1 + length >= sizeof(chosen) || (*setting != '/' && !base_length))
			return;
		memcpy(chosen, directory, base_length);
		chosen[base_length] = '/';
		memcpy(chosen + base_length + 1, setting, length + 1);
	}
	atomic_store(&state, READY);
}

static struct mio_live_header *header(void)
{
	return (struct mio_live_header *)(void *)atomic_load_explicit(&base, memory_order_relaxed);
}

static struct mio_live_head *record_at(int64_t index)
{
	return (struct mio_live_head *)(void *)(atomic_load_explicit(&base, memory_order_relaxed) + (size_t)index * RECORD);
}

/* The record that a body lies in; NULL if the body is plain memory. */
static struct mio_live_head *record_of(const void *body)
{
	uintptr_t from = (uintptr_t)atomic_load_explicit(&base, memory_order_acquire);

	if (!body || !from || (uintptr_t)body < from || (uintptr_t)body >= from + SPACE)
		return NULL;
	return (struct mio_live_head *)((uintptr_t)body - MIO_LIVE_BODY);
}

void mio_live_text(char *field, size_t bytes, const char *text)
{
	size_t length = strnlen(text, bytes);

	memset(field, 0, bytes);
	memcpy(field, text, length);
}

void mio_live_name(char *field, int64_t *length, const char *name)
{
	size_t all = strlen(name);

	*length = (int64_t)all;
	mio_live_text(field, MIO_LIVE_NAME_BYTES, all > MIO_LIVE_NAME_BYTES ? name + all - MIO_LIVE_NAME_BYTES : name);
}

/* 1 if the process may make a file that long. Beyond its limit the kernel would send a signal that ends the process. */
static int may_be_long(size_t bytes)
{
	struct rlimit64 limit = {0};

	return mio_raw4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) == 0 && limit.rlim_cur >= bytes;
}

/* Allocates space of the file for count records in all. 0 or -errno. */
static int allocate(int fd, int64_t count)
{
	long rc;

	if (!may_be_long((size_t)count * RECORD))
		return -EFBIG;
	do
		rc = mio_raw4(SYS_fallocate, fd, 0, 0, (size_t)count * RECORD);
	while (rc == -EINTR);
	return (int)rc;
}

static uint64_t inode_of(int fd)
{
	struct statx found;

	memset(&found, 0, sizeof(found));
	return mio_raw5(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_INO, &found) < 0 ? 0 : found.stx_ino;
}

static void fill_header(struct mio_live_header *first, const char *engine)
{
	struct timespec now;
	int64_t since_begin;

	mio_clock_read(CLOCK_REALTIME, &now);
	since_begin = mio_clock_ns() - mio_clock_begin_ns();
	first->version = MIO_LIVE_VERSION;
	first->record_bytes = (int64_t)RECORD;
	first->records = records;
	first->pid = pid;
	mio_live_process(&first->start_time, &first->stack_begin);
	first->began_real_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - since_begin;
	first->began_ns = mio_clock_begin_ns();
	first->state = MIO_LIVE_RUNS;
	first->door = MIO_LIVE_NATIVE;
	mio_live_text(first->program, sizeof(first->program), program);
	mio_live_text(first->engine, sizeof(first->engine), engine ? engine : "");
	atomic_store_explicit(&first->magic, MAGIC, memory_order_release);
}

/* Makes the file and maps it at place, or anywhere if place is NULL. On failure NULL, and *error is -errno. */
static void *make_file(void *place, int64_t count, int *error)
{
	int fd = mio_live_place_create(chosen, path);
	long memory;

	*error = fd;
	if (fd < 0)
		return NULL;
	*error = allocate(fd, count);
	memory = *error < 0 ? *error
			    : mio_raw6(SYS_mmap, (long)place, SPACE, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_NORESERVE | (place ? MAP_FIXED : 0), fd, 0);
	inode = inode_of(fd);
	mio_raw1(SYS_close, fd);
	if (memory < 0 && memory > -4096) {
		*error = (int)memory;
		mio_raw3(SYS_unlinkat, AT_FDCWD, path, 0);
		path[0] = 0;
		return NULL;
	}
	pid = mio_raw0(SYS_getpid);
	return (void *)memory;
}

/* The caller holds the lock. */
static void begin_file(const char *engine)
{
	int error;
	void *memory = make_file(NULL, STEP, &error);

	if (!memory) {
		/* If only descriptors are lacking, the next open tries again. */
		if (error != -EMFILE && error != -ENFILE)
			atomic_store(&state, OFF);
		return;
	}
	records = STEP;
	next_fresh = 1;
	free_count = 0;
	atomic_store_explicit(&base, memory, memory_order_release);
	fill_header(header(), engine);
	atomic_store(&state, ON);
}

/* The caller holds the lock. */
static void grow(void)
{
	long fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
	int rc = (int)fd;

	if (fd >= 0) {
		rc = inode_of((int)fd) == inode ? allocate((int)fd, records + STEP) : -ESTALE;
		mio_raw1(SYS_close, fd);
	}
	if (rc == 0) {
		records += STEP;
		atomic_store_explicit(&header()->records, records, memory_order_release);
	} else if (rc != -EMFILE && rc != -ENFILE) {
		atomic_store(&state, FULL);
	}
}

static int64_t room(void)
{
	return free_count + records - next_fresh;
}

void mio_live_reserve(const char *engine)
{
	if (atomic_load_explicit(&state, memory_order_relaxed) == OFF)
		return;
	mio_lock_acquire(&lock);
	if (state == READY)
		begin_file(engine);
	else if (state == ON && room() < SPARE && records + STEP <= MIO_LIVE_RECORDS_MAX)
		grow();
	/* How page requests are done is known only after the first of them. */
	if (state >= ON && engine && strcmp(header()->engine, engine) != 0)
		mio_live_text(header()->engine, sizeof(header()->engine), engine);
	mio_lock_release(&lock);
}

static struct mio_live_head *take_record(void)
{
	int64_t index = 0;

	mio_lock_acquire(&lock);
	if (state >= ON) {
		if (free_count > 0)
			index = freed[--free_count];
		else if (next_fresh < records)
			index = next_fresh++;
	}
	mio_lock_release(&lock);
	return index ? record_at(index) : NULL;
}

void *mio_live_take(enum mio_live_kind kind, const void *owner)
{
	struct mio_live_head *owning = record_of(owner);
	struct mio_live_head *record = NULL;

	if (!owner || owning)
		record = take_record();
	if (!record && kind == MIO_LIVE_DECISIONS)
		return NULL;
	if (!record) {
		if ((!owner || owning) && atomic_load_explicit(&state, memory_order_relaxed) >= ON)
			atomic_fetch_add(&header()->unrecorded, 1);
		return mio_memory_take(BODY_BYTES);
	}
	memset(record + 1, 0, BODY_BYTES);
	record->owner = owning ? (int64_t)(((uintptr_t)owning - (uintptr_t)header()) / RECORD) : 0;
	record->owner_generation = 0;
	record->auto_state = 0;
	atomic_store_explicit(&record->kind, kind, memory_order_relaxed);
	return record + 1;
}

void mio_live_show(void *body)
{
	struct mio_live_head *record = record_of(body);
	struct mio_live_head *owning;

	if (!record)
		return;
	owning = record->owner ? record_at(record->owner) : NULL;
	if (owning)
		record->owner_generation = atomic_load_explicit(&owning->generation, memory_order_relaxed);
	atomic_fetch_add_explicit(&record->generation, 1, memory_order_release);
}

void mio_live_tell_auto(void *body, const char *does)
{
#define NAME(name) name,
	static const char *const states[] = {MIO_LIVE_AUTO_STATES(NAME)};
#undef NAME
	struct mio_live_head *record = record_of(body);

	for (size_t i = 0; record && i < sizeof(states) / sizeof(states[0]); i++)
		if (strcmp(states[i], does) == 0)
			atomic_store_explicit(&record->auto_state, (int64_t)i + 1, memory_order_relaxed);
}

void mio_live_give(void *body)
{
	struct mio_live_head *record = record_of(body);

	if (!record) {
		mio_memory_give(body, BODY_BYTES);
		return;
	}
	/* The generation must be even now. It already is in a record that was never shown. */
	if (atomic_load_explicit(&record->generation, memory_order_relaxed) & 1)
		atomic_fetch_add_explicit(&record->generation, 1, memory_order_release);
	atomic_store_explicit(&record->kind, MIO_LIVE_FREE, memory_order_relaxed);
	mio_lock_acquire(&lock);
	freed[free_count++] = (uint16_t)(((uintptr_t)record - (uintptr_t)header()) / RECORD);
	mio_lock_release(&lock);
}

/* Removes the file, but only in the process that made it, not in a child that shares its memory (vfork). 1 if it was removed. */
static int remove_file(void)
{
	if (state < ON || !path[0] || mio_raw0(SYS_getpid) != pid)
		return 0;
	mio_raw3(SYS_unlinkat, AT_FDCWD, path, 0);
	return 1;
}

void mio_live_end(void)
{
	mio_lock_acquire(&lock);
	if (remove_file()) {
		atomic_store(&header()->state, MIO_LIVE_ENDED);
		path[0] = 0;
		atomic_store(&state, FULL);
	} else if (state == READY) {
		atomic_store(&state, OFF);
	}
	state_then = OFF;
	mio_lock_release(&lock);
}

void mio_live_exec_coming(void)
{
	remove_file();
}

/*
 * The caller holds the lock. The file has lost its name: copies the counters to a new file, which is mapped in the place of the old one. What
 * other threads count meanwhile is lost.
 */
static void make_again(void)
{
	int fd = mio_live_place_create(chosen, path);
	int error = fd < 0 ? fd : allocate(fd, records);

	if (error == 0) {
		size_t bytes = (size_t)records * RECORD;
		size_t done = 0;
		long rc = 1;

		while (done < bytes && rc > 0) {
			rc = mio_raw4(SYS_pwrite64, fd, base + done, bytes - done, done);
			done += rc > 0 ? (size_t)rc : 0;
		}
		error = done == bytes ? 0 : -EIO;
	}
	if (error == 0) {
		inode = inode_of(fd);
		mio_raw6(SYS_mmap, (long)base, SPACE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0);
	} else {
		if (fd >= 0)
			mio_raw3(SYS_unlinkat, AT_FDCWD, path, 0);
		path[0] = 0;
		atomic_store(&state, FULL);
	}
	if (fd >= 0)
		mio_raw1(SYS_close, fd);
}

void mio_live_exec_failed(void)
{
	if (state < ON || !path[0] || mio_raw0(SYS_getpid) != pid)
		return;
	mio_lock_acquire(&lock);
	make_again();
	mio_lock_release(&lock);
}

void mio_live_user_coming(void)
{
	mio_lock_acquire(&lock);
	if (changing++ == 0) {
		user = mio_raw0(SYS_geteuid);
		state_then = state;
		is_away = remove_file();
		/* Until the user is settled, no other thread may make the file, or make it longer, with the old rights. */
		if (is_away)
			atomic_store(&state, FULL);
		else if (state == READY)
			atomic_store(&state, OFF);
	}
	mio_lock_release(&lock);
}

void mio_live_user_settled(int of_all)
{
	mio_lock_acquire(&lock);
	if (changing > 0 && --changing == 0) {
		if (state_then == READY) {
			atomic_store(&state, READY);
		} else if (is_away && path[0] &&
			   (mio_raw0(SYS_geteuid) == user || (of_all && mio_live_place_rights_are_final()))) {
			atomic_store(&state, state_then);
			make_again();
		} else if (is_away && path[0]) {
			atomic_store(&header()->state, MIO_LIVE_ENDED);
			path[0] = 0;
		}
	}
	mio_lock_release(&lock);
}

/*
 * A call that a signal handler interrupted goes on in a child that the handler forked, and may still count. So the child gets memory of its own at the
 * same addresses, and never counts in the parent's file.
 */
void mio_live_forked(void)
{
	char *old = atomic_load(&base);
	size_t used = (size_t)records * RECORD;

	memset(&lock, 0, sizeof(lock));
	if (changing && state_then == READY)
		atomic_store(&state, READY);
	changing = 0;
	if (state == OFF || !old)
		return;
	mio_raw6(SYS_mmap, (long)old, (long)used, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	mio_raw2(SYS_munmap, old + used, SPACE - used);
	atomic_store(&base, NULL);
	atomic_store(&state, READY);
	path[0] = 0;
	records = 0;
	free_count = 0;
}

const char *mio_live_path(void)
{
	return path;
}
