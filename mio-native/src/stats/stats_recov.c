#include "stats_recov.h"

#include "../layer/layer_error.h"
#include "stats_json.h"
#include "stats_text.h"

void mio_recov_message_classic(const struct mio_recov_message *message, struct mio_text *text)
{
	mio_text_add(text, "recov : ");
	if (message->result != MIO_RECOV_GOES_ON) {
		mio_text_add(text, "failure : new_ret=");
		mio_text_add_number(text, message->result);
	} else {
		mio_text_add(text, "command=");
		mio_stats_add_name(text, message->command);
		mio_text_add(text, " file=");
		mio_stats_add_name(text, message->file);
		mio_text_add(text, " errno=");
		mio_text_add_number(text, message->error);
		mio_text_add(text, " try=");
		mio_text_add_number(text, message->attempt);
	}
	mio_text_add_char(text, '\n');
}

void mio_recov_message_json(const struct mio_recov_message *message, struct mio_text *text)
{
	int is_failure = message->result != MIO_RECOV_GOES_ON;
	struct mio_json json = mio_json_begin_line(text, "recov");

	mio_json_add_text(&json, "event", is_failure ? "failure" : "attempt");
	mio_json_add_text(&json, "file", message->file);
	mio_json_add_text(&json, "call", message->call);
	mio_json_add_text(&json, "error", mio_error_name(message->error));
	mio_json_add_number(&json, "errno", message->error);
	mio_json_add_number(&json, "try", message->attempt);
	mio_json_add_number(&json, "retry", message->retry);
	if (is_failure)
		mio_json_add_number(&json, "result", message->result);
	else
		mio_json_add_text(&json, "command", message->command[0] ? message->command : NULL);
	mio_json_end_line(&json);
}
