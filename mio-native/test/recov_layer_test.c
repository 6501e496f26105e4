/* The attempts of a recov layer over a file whose calls fail as planned. */
#include "../src/recov/recov_command.h"
#include "../src/recov/recov_layer.h"
#include "failing_file.h"
#include "stats_place.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#define FULL (-ENOSPC)
#define BROKEN (-EIO)
#define PLAN(...) (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static struct failing_file file;
static struct mio_layer_spec spec;

/* Sets the options of the layer. Its messages go to the file "stats". */
static void options(int full_write, const char *command, int retry)
{
	memset(&spec, 0, sizeof(spec));
	spec.kind = MIO_LAYER_RECOV;
	spec.typed_name = "recov";
	spec.values[MIO_RECOV_OPTION_FULLWRITE].setting = full_write ? MIO_SETTING_ON : MIO_SETTING_OFF;
	spec.values[MIO_RECOV_OPTION_COMMAND].text = command;
	spec.values[MIO_RECOV_OPTION_OPEN_COMMAND].text = "exit 1";
	spec.values[MIO_RECOV_OPTION_RETRY].number = retry;
	spec.values[MIO_RECOV_OPTION_STATS].setting = MIO_SETTING_ON;
	spec.values[MIO_RECOV_OPTION_STATS].text = "mioout";
}

static struct mio_layer *layer_over(int append, const char *stats, const int *plan, int planned)
{
	struct mio_open_request request = {.name = "a file"};
	int fd = open(in_place("data"), O_RDWR | O_CREAT | (append ? O_APPEND : 0), 0600);
	struct mio_layer *layer;

	failing_init(&file, fd, append, plan, planned);
	layer = mio_recov_layer_make(&spec, &file.layer, &request, output_of(in_place(stats), 0, NULL));
	ASSERT(layer);
	return layer;
}

static struct mio_layer *layer(int full_write, const char *command, int retry, const int *plan, int planned)
{
	place_empty(place);
	options(full_write, command, retry);
	return layer_over(0, "stats", plan, planned);
}

static void end(struct mio_layer *recov)
{
	ASSERT_EQUAL(0, recov->ops->close(recov));
	recov->ops->release(recov);
}

static const char *log_of(const char *text)
{
	char command[8192];

	snprintf(command, sizeof(command), "echo \"%s\" >> %s/log", text, place);
	return kept(command, strlen(command));
}

/* The lines of the file "stats" that begin with recov, each ended by a line feed. */
static const char *messages(void)
{
	char *text;
	char *found;
	char *line;
	char *at;

	if (!is_in_place("stats"))
		return "";
	text = text_in_place("stats");
	found = kept(text, strlen(text));
	at = found;
	while ((line = strsep(&text, "\n")) != NULL)
		if (strncmp(line, "recov", 5) == 0)
			at = stpcpy(stpcpy(at, line), "\n");
	*at = 0;
	return found;
}

static int64_t write_text(struct mio_layer *recov, const char *text, int64_t offset)
{
	return recov->ops->write(recov, text, strlen(text), offset);
}

static void should_go_on_where_a_write_stopped_after_the_command_has_run(void)
{
	struct mio_layer *recov;
	char expected[16384];
	const char *command;

	command = log_of("$MIO_MODULE $MIO_CALL $MIO_FILE $MIO_ERROR $MIO_ERRNO $MIO_TRY/$MIO_RETRY $MIO_ENABLED");
	recov = layer(1, command, 3, PLAN(0, 3, FULL, FULL));
	ASSERT_EQUAL(2, write_text(recov, "AB", 0));
	ASSERT_EQUAL(10, write_text(recov, "0123456789", 2));
	end(recov);
	ASSERT_TEXT("AB0123456789", text_in_place("data"));
	ASSERT_TEXT("write 2 at 0\nwrite 10 at 2\nwrite 7 at 5\nwrite 7 at 5\nwrite 7 at 5\n", file.calls);
	ASSERT_TEXT("recov write a file ENOSPC 28 1/3 0\nrecov write a file ENOSPC 28 2/3 0\n", text_in_place("log"));
	snprintf(expected, sizeof(expected),
		 "recov : command=%s file=a file errno=28 try=1\nrecov : command=%s file=a file errno=28 try=2\n",
		 command, command);
	ASSERT_TEXT(expected, messages());
}

static void should_give_the_program_the_error_when_nothing_helps(void)
{
	struct mio_layer *recov = layer(1, log_of("x"), 2, PLAN(FULL, FULL, FULL));

	errno = ERANGE;
	ASSERT_EQUAL(FULL, write_text(recov, "0123456789", 0));
	ASSERT_EQUAL(ERANGE, errno);
	end(recov);
	ASSERT_EQUAL(3, count_of("write 10 at 0\n", file.calls));
	ASSERT_TEXT("x\nx\n", text_in_place("log"));
	ASSERT_EQUAL(3, count_of("recov : ", messages()));
	ASSERT_HAS("try=2\nrecov : failure : new_ret=-1\n", messages());
}

static void should_give_the_program_the_part_that_was_written(void)
{
	struct mio_layer *recov = layer(1, "true", 1, PLAN(4, FULL, FULL));

	ASSERT_EQUAL(4, write_text(recov, "0123456789", 0));
	end(recov);
	ASSERT_TEXT("0123", text_in_place("data"));
	ASSERT_TEXT("recov : command=true file=a file errno=28 try=1\nrecov : failure : new_ret=4\n", messages());
}

static void should_take_a_part_where_a_part_is_enough(void)
{
	struct mio_layer *recov = layer(0, log_of("x"), 5, PLAN(4, FULL));

	ASSERT_EQUAL(4, write_text(recov, "0123456789", 0));
	ASSERT_EQUAL(FULL, write_text(recov, "456789", 4));
	end(recov);
	ASSERT_TEXT("write 10 at 0\nwrite 6 at 4\n", file.calls);
	ASSERT(!is_in_place("log"));
	ASSERT_TEXT("", messages());
}

/* The kernel cuts such a write without a signal, and sends SIGXFSZ for the next one. */
static void should_leave_a_write_cut_where_the_limit_on_the_size_of_files_has_cut_it(void)
{
	struct rlimit none;
	struct rlimit limit;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_FSIZE, &none));
	limit = none;
	for (int append = 0; append < 2; append++) {
		const struct iovec vector[2] = {{(void *)(uintptr_t)"01234", 5}, {(void *)(uintptr_t)"56789", 5}};
		struct mio_layer *recov;

		place_empty(place);
		options(1, "true", 5);
		recov = layer_over(append, "stats", NULL, 0);
		signal(SIGXFSZ, SIG_IGN);
		limit.rlim_cur = 4;
		ASSERT_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
		ASSERT_EQUAL(4, write_text(recov, "0123456789", append ? MIO_LAYER_APPEND : 0));
		limit.rlim_cur = 7;
		ASSERT_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
		ASSERT_EQUAL(3, recov->ops->writev(recov, vector, 2, append ? MIO_LAYER_APPEND : 4));
		ASSERT_EQUAL(0, setrlimit(RLIMIT_FSIZE, &none));
		signal(SIGXFSZ, SIG_DFL);
		end(recov);
		ASSERT_EQUAL(2, count_of("write", file.calls));
	}
}

static void should_not_try_again_what_cannot_succeed(void)
{
	static const int errors[] = {-EFBIG, -EROFS, -EINVAL, -EBADF};

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		struct mio_layer *recov = layer(1, log_of("x"), 5, &errors[i], 1);

		ASSERT_EQUAL(errors[i], write_text(recov, "x", 0));
		end(recov);
		ASSERT_TEXT("write 1 at 0\n", file.calls);
		ASSERT(!is_in_place("log"));
		ASSERT_TEXT("", messages());
	}
}

static void should_repeat_a_read_that_failed_in_the_device_without_a_command(void)
{
	struct mio_layer *recov = layer(1, log_of("x"), 2,
					PLAN(BROKEN, 0, BROKEN, BROKEN, 0, BROKEN, BROKEN, BROKEN, FULL));
	char bytes[8] = {0};
	struct iovec vector[2] = {{bytes, 2}, {bytes + 2, 3}};

	write_in_place("data", "0123456789");
	ASSERT_EQUAL(4, recov->ops->read(recov, bytes, 4, 5));
	ASSERT_TEXT("5678", bytes);
	ASSERT_EQUAL(5, recov->ops->readv(recov, vector, 2, 1));
	ASSERT_TEXT("12345", bytes);
	ASSERT_EQUAL(BROKEN, recov->ops->read(recov, bytes, 4, 0));
	/* A read that fails for lack of space is not the layer's concern. */
	ASSERT_EQUAL(FULL, recov->ops->read(recov, bytes, 4, 0));
	end(recov);
	ASSERT(!is_in_place("log"));
	ASSERT_EQUAL(0, strncmp("recov : command= file=a file errno=5 try=1\n", messages(), 43));
	ASSERT_EQUAL(6, count_of("recov : ", messages()));
	ASSERT_HAS("try=2\nrecov : failure : new_ret=-1\n", messages());
}

static void should_go_on_inside_several_buffers(void)
{
	struct mio_layer *recov = layer(1, "true", 2, PLAN(0, 1, FULL, 0, FULL));
	char bytes[] = "0123456789";
	struct iovec vector[4] = {{bytes, 3}, {bytes + 3, 3}, {bytes + 6, 0}, {bytes + 6, 4}};

	ASSERT_EQUAL(10, recov->ops->writev(recov, vector, 4, 0));
	end(recov);
	ASSERT_TEXT("0123456789", text_in_place("data"));
	ASSERT_EQUAL(3, vector[1].iov_len);
	ASSERT_HAS("write 3 at 0\nwrite 3 at 3\nwrite 2 at 4\nwrite 2 at 4\nwrite 4 at 6\nwrite 4 at 6\n", file.calls);
}

static void should_not_append_twice_what_was_appended(void)
{
	struct mio_layer *recov;
	char bytes[] = "0123456789";
	struct iovec vector[3] = {{bytes, 3}, {bytes + 3, 3}, {bytes + 6, 4}};

	place_empty(place);
	options(1, "true", 3);
	recov = layer_over(1, "stats", PLAN(0, 1, FULL, 0, FULL, 0, FULL));
	ASSERT_EQUAL(10, recov->ops->writev(recov, vector, 3, MIO_LAYER_APPEND));
	ASSERT_EQUAL(1, write_text(recov, "x", MIO_LAYER_APPEND));
	end(recov);
	ASSERT_TEXT("0123456789x", text_in_place("data"));
}

static void should_never_repeat_a_flush(void)
{
	struct mio_layer *recov = layer(1, log_of("x"), 5, PLAN(BROKEN));

	ASSERT_EQUAL(BROKEN, recov->ops->flush(recov, 1));
	end(recov);
	ASSERT_TEXT("flush 0 at 1\n", file.calls);
	ASSERT_TEXT("", messages());
}

static void should_try_again_to_set_space_aside(void)
{
	struct mio_layer *recov = layer(1, log_of("$MIO_CALL"), 1, PLAN(FULL));

	ASSERT_EQUAL(0, recov->ops->reserve(recov, 0, 4096));
	end(recov);
	ASSERT_TEXT("reserve 4096 at 0\nreserve 4096 at 0\n", file.calls);
	ASSERT_TEXT("allocate\n", text_in_place("log"));
}

static void should_not_try_again_where_that_is_not_wanted(void)
{
	struct mio_layer *recov = layer(1, log_of("x"), 0, PLAN(FULL));

	ASSERT_EQUAL(FULL, write_text(recov, "x", 0));
	end(recov);
	ASSERT_TEXT("recov : failure : new_ret=-1\n", messages());
	ASSERT(!is_in_place("log"));
}

static void should_bound_the_memory_of_messages(void)
{
	enum { TIMES = 1500 };
	static int plan[TIMES];
	struct mio_layer *recov;

	for (int i = 0; i < TIMES; i++)
		plan[i] = BROKEN;
	recov = layer(1, "", TIMES, plan, TIMES);
	ASSERT_EQUAL(1, write_text(recov, "x", 0));
	end(recov);
	ASSERT_EQUAL(TIMES, count_of("recov : command= file", messages()));
}

static void complete_into(struct mio_io *io, void *context)
{
	*(int64_t *)context = io->result;
}

static void should_complete_asynchronous_requests_once_they_are_done(void)
{
	struct mio_layer *recov = layer(1, "true", 2, PLAN(BROKEN, 0, 4, FULL, FULL));
	char bytes[] = "abcdefgh";
	char back[4] = {0};
	int64_t results[2] = {0};
	struct mio_io read, write;
	struct mio_io *list[2] = {&read, &write};

	write_in_place("data", "0123456789");
	mio_io_init(&read, 0, back, 2, 8, complete_into, &results[0]);
	recov->ops->submit_all(recov, list, 1);
	recov->ops->await(recov, &read, 1);
	mio_io_init(&write, 1, bytes, 8, 0, complete_into, &results[1]);
	recov->ops->submit_all(recov, list + 1, 1);
	recov->ops->await(recov, &write, 1);
	ASSERT_EQUAL(8, write.result);
	ASSERT_EQUAL(8, results[1]);
	ASSERT_EQUAL(2, results[0]);
	ASSERT_TEXT("89", back);
	end(recov);
	ASSERT_TEXT("abcdefgh89", text_in_place("data"));
}

static void should_complete_asynchronous_requests_with_their_error_when_nothing_helps(void)
{
	struct mio_layer *recov = layer(1, "true", 1, PLAN(FULL, FULL, -EBADF));
	struct mio_io write;

	mio_io_init(&write, 1, place, 10, 0, NULL, NULL);
	ASSERT_EQUAL(0, recov->ops->submit(recov, &write));
	mio_io_wait(&write);
	ASSERT_EQUAL(FULL, write.result);
	mio_io_init(&write, 1, place, 10, 0, NULL, NULL);
	ASSERT_EQUAL(0, recov->ops->submit(recov, &write));
	ASSERT(mio_io_is_done(&write));
	ASSERT_EQUAL(-EBADF, write.result);
	end(recov);
	ASSERT_TEXT("recov : command=true file=a file errno=28 try=1\nrecov : failure : new_ret=-1\n", messages());
}

/* A command that tells that it runs and then waits. */
static const char *waiting(void)
{
	char command[16384];

	snprintf(command, sizeof(command), "echo x > %s/started; read x < %s/go; exit 0", place, place);
	return kept(command, strlen(command));
}

static void make_pipes(void)
{
	ASSERT_EQUAL(0, mkfifo(in_place("started"), 0600));
	ASSERT_EQUAL(0, mkfifo(in_place("go"), 0600));
}

static void complete_on(struct mio_io *io, void *context)
{
	(void)io;
	*(pthread_t *)context = pthread_self();
}

static void should_not_hold_up_the_thread_that_completes(void)
{
	struct mio_layer *recov = layer(1, waiting(), 1, PLAN(FULL));
	pthread_t completed = pthread_self();
	struct mio_io read, write;
	struct mio_io *list[1] = {&read};
	char byte[8] = {0};

	make_pipes();
	mio_io_init(&write, 1, byte, 8, 0, complete_on, &completed);
	ASSERT_EQUAL(0, recov->ops->submit(recov, &write));
	ASSERT_TEXT("x\n", text_in_place("started"));
	ASSERT(!mio_io_is_done(&write));
	mio_io_init(&read, 0, byte, 8, 0, NULL, NULL);
	recov->ops->submit_all(recov, list, 1);
	mio_io_wait(&read);
	ASSERT_EQUAL(0, read.result);
	write_in_place("go", "go\n");
	mio_io_wait(&write);
	ASSERT_EQUAL(8, write.result);
	ASSERT(!pthread_equal(completed, pthread_self()));
	end(recov);
}

static void should_start_anew_after_its_thread_has_ended(void)
{
	struct mio_layer *recov = layer(1, "true", 1, PLAN(4, 0, 4, 0, 4, 0, 4));
	struct mio_io write;

	for (int i = 0; i < 4; i++) {
		mio_io_init(&write, 1, place, 8, 0, NULL, NULL);
		ASSERT_EQUAL(0, recov->ops->submit(recov, &write));
		mio_io_wait(&write);
		ASSERT_EQUAL(8, write.result);
	}
	end(recov);
}

static void should_fail_what_waits_when_the_file_is_closed(void)
{
	struct mio_layer *recov = layer(1, waiting(), 1, PLAN(FULL));
	struct mio_io write;

	make_pipes();
	mio_io_init(&write, 1, place, 8, 0, NULL, NULL);
	ASSERT_EQUAL(0, recov->ops->submit(recov, &write));
	ASSERT_TEXT("x\n", text_in_place("started"));
	ASSERT_EQUAL(0, recov->ops->close(recov));
	mio_io_wait(&write);
	ASSERT_EQUAL(FULL, write.result);
	recov->ops->release(recov);
}

static void *complete_later(void *io)
{
	mio_io_complete(io, -EIO);
	return NULL;
}

static struct mio_io *held;

static int hold(struct mio_layer *below, struct mio_io *io)
{
	(void)below;
	held = io;
	return 0;
}

static int refuse(struct mio_layer *below, struct mio_io *io)
{
	(void)below;
	(void)io;
	return -EAGAIN;
}

static void should_use_requests_again_only_when_they_are_done(void)
{
	static struct mio_layer_ops ops;
	struct mio_layer *recov = layer(1, "", 1, PLAN(0));
	struct mio_io io;
	pthread_t thread;

	ops = failing_ops;
	file.layer.ops = &ops;
	for (int i = 0; i < 300; i++) {
		ops.submit = refuse;
		mio_io_init(&io, 0, place, 8, 0, NULL, NULL);
		ASSERT_EQUAL(-EAGAIN, recov->ops->submit(recov, &io));
		ops.submit = hold;
		ASSERT_EQUAL(0, recov->ops->submit(recov, &io));
		ASSERT_EQUAL(0, pthread_create(&thread, NULL, complete_later, held));
		mio_io_wait(&io);
		ASSERT_EQUAL(0, io.result);
		if (i % 2)
			pthread_join(thread, NULL);
		else
			pthread_detach(thread);
	}
	end(recov);
}

static void should_write_the_messages_as_json_where_the_file_is_one(void)
{
	struct mio_layer *recov;

	place_empty(place);
	options(1, "true", 1);
	recov = layer_over(0, "m.jsonl", PLAN(FULL, FULL));
	ASSERT_EQUAL(FULL, write_text(recov, "x", 0));
	end(recov);
	ASSERT_EQUAL(2, count_of("\"type\":\"recov\"", text_in_place("m.jsonl")));
	ASSERT_HAS("\"event\":\"attempt\",\"file\":\"a file\",\"call\":\"write\",\"error\":\"ENOSPC\",\"errno\":28,"
		   "\"try\":1,\"retry\":1,\"command\":\"true\"}\n",
		   text_in_place("m.jsonl"));
	ASSERT_HAS("\"event\":\"failure\",", text_in_place("m.jsonl"));
	ASSERT_HAS("\"try\":1,\"retry\":1,\"result\":-1}\n", text_in_place("m.jsonl"));
}

/* Opens as the door does it: so many opens fail with error. Returns the number of opens. */
static int open_again(int failures, int error, int *result)
{
	struct mio_stats_output *output = output_of(in_place("stats"), 0, NULL);
	int opens = 0;

	do {
		*result = opens++ < failures ? error : 0;
	} while (*result && mio_recov_open_failed(&spec, "f", error, opens, output));
	return opens;
}

static void should_open_after_its_command_has_run(void)
{
	static const struct {
		int error;
		const char *logged;
	} cases[] = {{ECONNREFUSED, "ECONNREFUSED 1\nECONNREFUSED 2\n"}, {ESTALE, "ESTALE 1\nESTALE 2\n"},
		     {ETIMEDOUT, "ETIMEDOUT 1\nETIMEDOUT 2\n"},	       {EHOSTDOWN, "EHOSTDOWN 1\nEHOSTDOWN 2\n"},
		     {EHOSTUNREACH, "EHOSTUNREACH 1\nEHOSTUNREACH 2\n"}, {ENOSPC, "space\nspace\n"},
		     {EDQUOT, "space\nspace\n"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int result;

		place_empty(place);
		options(1, log_of("space"), 2);
		spec.values[MIO_RECOV_OPTION_OPEN_COMMAND].text = log_of("$MIO_ERROR $MIO_TRY");
		ASSERT_EQUAL(3, open_again(2, cases[i].error, &result));
		ASSERT_EQUAL(0, result);
		ASSERT_TEXT(cases[i].logged, text_in_place("log"));
		ASSERT_EQUAL(2, count_of(" file=f errno=", messages()));
		ASSERT_EQUAL(1, count_of(" try=1\n", messages()));
		ASSERT_EQUAL(1, count_of(" try=2\n", messages()));
		ASSERT_HAS_NOT("failure", messages());
		place_empty(place);
		ASSERT_EQUAL(3, open_again(5, cases[i].error, &result));
		ASSERT_EQUAL(cases[i].error, result);
		ASSERT_HAS("failure : new_ret=-1\n", messages());
	}
}

static void should_not_try_again_to_open_what_is_not_there(void)
{
	int result;

	place_empty(place);
	options(1, log_of("x"), 5);
	ASSERT_EQUAL(1, open_again(1, ENOENT, &result));
	ASSERT_EQUAL(1, open_again(1, EIO, &result));
	ASSERT_EQUAL(EIO, result);
	ASSERT(!is_in_place("log"));
	ASSERT(!is_in_place("stats"));
}

int main(void)
{
	static const char *const none[] = {NULL};
	struct mio_recov_commands commands = {0};

	if (mio_recov_command_run(&commands, "true", none) == MIO_RECOV_NOT_RUN) {
		printf("skipped: no commands can be run here\n");
		return 77;
	}
	place_make();
	RUN(should_go_on_where_a_write_stopped_after_the_command_has_run);
	RUN(should_give_the_program_the_error_when_nothing_helps);
	RUN(should_give_the_program_the_part_that_was_written);
	RUN(should_take_a_part_where_a_part_is_enough);
	RUN(should_leave_a_write_cut_where_the_limit_on_the_size_of_files_has_cut_it);
	RUN(should_not_try_again_what_cannot_succeed);
	RUN(should_repeat_a_read_that_failed_in_the_device_without_a_command);
	RUN(should_go_on_inside_several_buffers);
	RUN(should_not_append_twice_what_was_appended);
	RUN(should_never_repeat_a_flush);
	RUN(should_try_again_to_set_space_aside);
	RUN(should_not_try_again_where_that_is_not_wanted);
	RUN(should_bound_the_memory_of_messages);
	RUN(should_complete_asynchronous_requests_once_they_are_done);
	RUN(should_complete_asynchronous_requests_with_their_error_when_nothing_helps);
	RUN(should_not_hold_up_the_thread_that_completes);
	RUN(should_start_anew_after_its_thread_has_ended);
	RUN(should_fail_what_waits_when_the_file_is_closed);
	RUN(should_use_requests_again_only_when_they_are_done);
	RUN(should_write_the_messages_as_json_where_the_file_is_one);
	RUN(should_open_after_its_command_has_run);
	RUN(should_not_try_again_to_open_what_is_not_there);
	place_remove();
	return TEST_RESULT();
}
