#include "recov_file.h"

#include <errno.h>
#include <string.h>

#include "../common/memory.h"
#include "../layer/layer_error.h"

/* Most messages in one entry. A call with more of them writes several entries. */
#define MESSAGES_MAX 512

/* What an error means for another attempt. */
enum kind {
	SPACE,		/* no space is left, or the quota is used up */
	REFUSED,	/* the server of the file does not answer */
	TRANSFER,	/* the transfer failed, and may succeed when it is tried again */
	FINAL		/* trying again changes nothing */
};

static const char *const labels[] = {"open", "read", "write", "allocate"};

void mio_recov_file_init(struct mio_recov_file *file, const struct mio_layer_spec *spec, const char *name,
			 struct mio_stats_output *output)
{
	file->spec = spec;
	file->file = name;
	file->output = output;
	file->full_write = mio_spec_is_on(spec, MIO_RECOV_OPTION_FULLWRITE);
	file->retry = spec->values[MIO_RECOV_OPTION_RETRY].number;
	if (mio_spec_is_on(spec, MIO_RECOV_OPTION_STATS))
		file->target = spec->values[MIO_RECOV_OPTION_STATS].text;
}

static enum kind kind_of(int64_t error)
{
	switch (-error) {
	case ENOSPC:
	case EDQUOT:
		return SPACE;
	case ECONNREFUSED:
	case EHOSTDOWN:
	case EHOSTUNREACH:
	case ESTALE:
	case ETIMEDOUT:
		return REFUSED;
	case EIO:
	case EAGAIN:
		return TRANSFER;
	default:
		return FINAL;
	}
}

int mio_recov_may_help(const struct mio_recov_file *file, enum mio_recov_call call, int64_t error)
{
	switch (kind_of(error)) {
	case SPACE:
		return call != MIO_RECOV_READ && file->full_write;
	case REFUSED:
		return 1;
	case TRANSFER:
		return call == MIO_RECOV_READ || call == MIO_RECOV_WRITE;
	case FINAL:
	default:
		return 0;
	}
}

/* The command to run before the next attempt; "" for none. */
static const char *command_of(const struct mio_recov_attempts *attempts, int64_t error)
{
	const struct mio_option_value *values = attempts->file->spec->values;

	if (attempts->call == MIO_RECOV_READ)
		return "";
	if (attempts->call == MIO_RECOV_OPEN && kind_of(error) != SPACE)
		return values[MIO_RECOV_OPTION_OPEN_COMMAND].text;
	return values[MIO_RECOV_OPTION_COMMAND].text;
}

static void write_messages(struct mio_recov_attempts *attempts)
{
	mio_stats_output_recovered(attempts->file->output, attempts->file->target, attempts->messages, attempts->used);
	attempts->used = 0;
}

static void add_message(struct mio_recov_attempts *attempts, int64_t error, const char *command, int64_t result)
{
	struct mio_recov_message message = {
		.file = attempts->file->file,
		.call = labels[attempts->call],
		.error = (int)-error,
		.command = command,
		.attempt = attempts->count,
		.retry = attempts->file->retry,
		.result = result,
	};

	if (attempts->used == attempts->room && attempts->room < MESSAGES_MAX) {
		int room = attempts->room ? attempts->room * 2 : 4;
		struct mio_recov_message *larger = mio_memory_take((size_t)room * sizeof(*larger));

		if (larger) {
			if (attempts->used)
				memcpy(larger, attempts->messages, (size_t)attempts->used * sizeof(*larger));
			mio_memory_give(attempts->messages, (size_t)attempts->room * sizeof(*larger));
			attempts->messages = larger;
			attempts->room = room;
		}
	}
	if (attempts->used == attempts->room)
		write_messages(attempts);
	if (attempts->room)
		attempts->messages[attempts->used++] = message;
	else
		mio_stats_output_recovered(attempts->file->output, attempts->file->target, &message, 1);
}

/* The call has ended: writes its messages. */
static void end(struct mio_recov_attempts *attempts)
{
	write_messages(attempts);
	mio_memory_give(attempts->messages, (size_t)attempts->room * sizeof(*attempts->messages));
	attempts->messages = NULL;
	attempts->room = 0;
}

static int give_up(struct mio_recov_attempts *attempts, int64_t error, int64_t moved)
{
	add_message(attempts, error, "", moved > 0 ? moved : -1);
	end(attempts);
	return 0;
}

static void add_variable(struct mio_text *text, const char *name, const char *value, int64_t number)
{
	mio_text_add(text, name);
	mio_text_add_char(text, '=');
	if (value)
		mio_text_add(text, value);
	else
		mio_text_add_number(text, number);
}

static enum mio_recov_outcome run(struct mio_recov_attempts *attempts, const char *command, int64_t error)
{
	enum { VARIABLES = 8 };
	struct mio_recov_file *file = attempts->file;
	struct mio_text texts[VARIABLES];
	const char *variables[VARIABLES + 1];
	enum mio_recov_outcome outcome = MIO_RECOV_NOT_RUN;
	int failed = 0;

	memset(texts, 0, sizeof(texts));
	add_variable(&texts[0], "MIO_MODULE", file->spec->typed_name, 0);
	add_variable(&texts[1], "MIO_FILE", file->file, 0);
	add_variable(&texts[2], "MIO_CALL", labels[attempts->call], 0);
	add_variable(&texts[3], "MIO_ERROR", mio_error_name((int)error), 0);
	add_variable(&texts[4], "MIO_ERRNO", NULL, -error);
	add_variable(&texts[5], "MIO_TRY", NULL, attempts->count);
	add_variable(&texts[6], "MIO_RETRY", NULL, file->retry);
	add_variable(&texts[7], "MIO_ENABLED", "0", 0);
	for (int i = 0; i < VARIABLES; i++) {
		failed |= texts[i].failed;
		variables[i] = mio_text_string(&texts[i]);
	}
	variables[VARIABLES] = NULL;
	if (!failed)
		outcome = mio_recov_command_run(&file->commands, command, variables);
	for (int i = 0; i < VARIABLES; i++)
		mio_text_clear(&texts[i]);
	return outcome;
}

int mio_recov_attempts_again(struct mio_recov_attempts *attempts, int64_t error, int64_t moved)
{
	enum mio_recov_outcome outcome = MIO_RECOV_NOT_RUN;
	const char *command;

	/* If nothing was tried again, the failure is not reported. */
	if (!mio_recov_may_help(attempts->file, attempts->call, error))
		return attempts->count == 0 ? 0 : give_up(attempts, error, moved);
	if (attempts->count >= attempts->file->retry)
		return give_up(attempts, error, moved);
	attempts->count++;
	command = command_of(attempts, error);
	if (*command)
		outcome = run(attempts, command, error);
	add_message(attempts, error, outcome == MIO_RECOV_NOT_RUN ? "" : command, MIO_RECOV_GOES_ON);
	return outcome == MIO_RECOV_STOPPED ? give_up(attempts, error, moved) : 1;
}

void mio_recov_attempts_succeeded(struct mio_recov_attempts *attempts)
{
	if (attempts->count > 0)
		end(attempts);
}
