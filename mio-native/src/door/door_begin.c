#include "door_begin.h"

#include <string.h>

#include "../common/raw.h"
#include "../common/text.h"
#include "../recov/recov_command.h"
#include "door.h"

void mio_door_tell(const char *who, const char *what, const char *why)
{
	struct mio_text line = {0};

	mio_text_add(&line, who);
	mio_text_add(&line, ": ");
	mio_text_add(&line, what);
	mio_text_add(&line, why);
	mio_text_add_char(&line, '\n');
	mio_raw3(SYS_write, 2, mio_text_string(&line), line.length);
	mio_text_clear(&line);
}

/* 1 if MIO_PRELOAD holds the word; commas, colons, slashes and blanks separate words. */
static int says(char *const *environment, const char *word)
{
	static const char name[] = "MIO_PRELOAD=";
	size_t length = strlen(word);
	const char *text = NULL;

	for (char *const *one = environment; one && *one && !text; one++)
		if (strncmp(*one, name, sizeof(name) - 1) == 0)
			text = *one + sizeof(name) - 1;
	while (text && *text) {
		size_t part = strcspn(text, ",:/ ");

		if (part == length && strncmp(text, word, length) == 0)
			return 1;
		text += part + (text[part] != 0);
	}
	return 0;
}

int mio_door_begin_and_tell(char *const *environment, const char *who, int without_rules)
{
	static char *const nothing[] = {NULL};
	struct mio_text error = {0};
	int rc;

	/*
	 * The caller of a set-user-id program has no say in files that it writes, or in what it runs: only the system's configuration
	 * file has.
	 */
	if (mio_recov_rights_are_raised())
		environment = nothing;
	rc = mio_door_begin(environment, without_rules, &error);

	if (rc < 0) {
		const char *why = error.length ? mio_text_string(&error) : "no memory";

		if (says(environment, "abort") || mio_stacks_wants_abort(environment)) {
			mio_door_tell(who, "", why);
			for (;;)
				mio_raw1(SYS_exit_group, 255);
		}
		/* One line only: its text gives the place of the mistake by number. */
		mio_text_cut(&error, strcspn(why, "\n"));
		mio_door_tell(who, "the program runs without MIO: ", why);
	} else if (says(environment, "print")) {
		const char *off = without_rules ? ", and switched off: MIO_ENABLED says so"
						: ", and switched off: MIO_FILES has no rule, or MIO_ENABLED says so";

		mio_door_tell(who, "loaded, MIO " MIO_VERSION, rc == 0 ? "" : off);
	}
	mio_text_clear(&error);
	return rc == 0;
}
