/* A full disk: a small file system in memory, in a mount namespace of its own, which takes root. Twin of FullDiskTest. */
#include "../src/recov/recov_layer.h"
#include "failing_file.h"
#include "stats_place.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

enum { DISK_BYTES = 1 << 20, FILE_BYTES = DISK_BYTES * 3 / 4, SKIPPED = 77 };

static struct failing_file file;
static struct mio_layer_spec spec;
static char bytes[FILE_BYTES];

static int mount_disk(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return 0;
	return mount("mio", in_place("disk"), "tmpfs", 0, "size=1048576") == 0;
}

static struct mio_stats_output *output;

static struct mio_layer *layer(const char *command)
{
	struct mio_open_request request = {.name = in_place("disk/x.dat")};
	struct mio_layer *recov;

	for (int i = 0; i < FILE_BYTES; i++)
		bytes[i] = (char)(i * 31 + i / 4096);
	spec.kind = MIO_LAYER_RECOV;
	spec.typed_name = "recov";
	spec.values[MIO_RECOV_OPTION_FULLWRITE].setting = MIO_SETTING_ON;
	spec.values[MIO_RECOV_OPTION_COMMAND].text = command;
	spec.values[MIO_RECOV_OPTION_RETRY].number = 2;
	spec.values[MIO_RECOV_OPTION_STATS].setting = MIO_SETTING_ON;
	spec.values[MIO_RECOV_OPTION_STATS].text = "mioout";
	failing_init(&file, open(request.name, O_RDWR | O_CREAT, 0600), 0, NULL, 0);
	/* The reports are on the full disk itself. */
	output = output_of(in_place("disk/stats"), 0, NULL);
	recov = mio_recov_layer_make(&spec, &file.layer, &request, output);
	ASSERT(recov);
	return recov;
}

static void fill(void)
{
	int fd = open(in_place("disk/x.dat.ballast"), O_WRONLY | O_CREAT, 0600);

	ASSERT(fd >= 0);
	for (int i = 0; i < DISK_BYTES / 2; i += 4096)
		ASSERT_EQUAL(4096, write(fd, place, 4096));
	close(fd);
}

static int finish_a_write(void)
{
	static char back[FILE_BYTES];
	struct mio_layer *recov;
	struct mio_io io;

	if (!mount_disk())
		return SKIPPED;
	for (int asynchronous = 0; asynchronous < 2; asynchronous++) {
		fill();
		recov = layer("rm $MIO_FILE.ballast");
		if (asynchronous) {
			mio_io_init(&io, 1, bytes, FILE_BYTES, 0, NULL, NULL);
			ASSERT_EQUAL(0, recov->ops->submit(recov, &io));
			recov->ops->await(recov, &io, 1);
			ASSERT_EQUAL(FILE_BYTES, io.result);
		} else {
			ASSERT_EQUAL(FILE_BYTES, recov->ops->write(recov, bytes, FILE_BYTES, 0));
		}
		ASSERT_EQUAL(FILE_BYTES, recov->ops->read(recov, back, FILE_BYTES, 0));
		ASSERT_EQUAL(0, memcmp(bytes, back, FILE_BYTES));
		ASSERT_EQUAL(0, recov->ops->close(recov));
		recov->ops->release(recov);
		ASSERT_HAS("recov : command=rm $MIO_FILE.ballast file=", text_in_place("disk/stats"));
		ASSERT_HAS("/disk/x.dat errno=28 try=1\n", text_in_place("disk/stats"));
		ASSERT_HAS_NOT("failure", text_in_place("disk/stats"));
		ASSERT_EQUAL(0, unlink(in_place("disk/x.dat")));
	}
	return 0;
}

static int keep_messages(void)
{
	struct mio_layer *recov;
	const char *text;
	int64_t part;

	if (!mount_disk())
		return SKIPPED;
	fill();
	recov = layer("true");
	part = recov->ops->write(recov, bytes, FILE_BYTES, 0);
	ASSERT(part > 0 && part < FILE_BYTES);
	ASSERT_EQUAL(-ENOSPC, recov->ops->write(recov, bytes, FILE_BYTES, part));
	ASSERT_EQUAL(0, unlink(in_place("disk/x.dat.ballast")));
	ASSERT_EQUAL(0, recov->ops->close(recov));
	report_to(output, "mioout", "x");
	text = text_in_place("disk/stats");
	ASSERT_HAS("try=2\nrecov : failure : new_ret=", text);
	ASSERT_HAS("try=2\nrecov : failure : new_ret=-1\n", text);
	ASSERT_HAS("new_ret=-1\n\nTrace close : x\n", text);
	ASSERT_EQUAL(1, count_of("MIO statistics file", text));
	return 0;
}

static int in_child(int (*work)(void))
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0)
		_exit(work());
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void should_finish_writes_that_the_command_made_space_for(void)
{
	int status = in_child(finish_a_write);

	if (status == SKIPPED)
		SKIP("mounting a small file system takes root");
	ASSERT_EQUAL(0, status);
}

static void should_keep_the_messages_until_there_is_space_for_them(void)
{
	int status = in_child(keep_messages);

	if (status == SKIPPED)
		SKIP("mounting a small file system takes root");
	ASSERT_EQUAL(0, status);
}

int main(void)
{
	place_make();
	ASSERT_EQUAL(0, mkdir(in_place("disk"), 0700));
	RUN(should_finish_writes_that_the_command_made_space_for);
	RUN(should_keep_the_messages_until_there_is_space_for_them);
	place_remove();
	return TEST_RESULT();
}
