/* What part of the text a message shows around a mistake. */
#include <errno.h>

#include "../src/config/config.h"
#include "assert_string.h"

static char *environment[2];
static struct mio_text message;

static void set_files(const char *files)
{
	free(environment[0]);
	ASSERT(asprintf(&environment[0], "MIO_FILES=%s", files) > 0);
}

static const char *mistake(void)
{
	struct mio_config *config = NULL;

	mio_text_clear(&message);
	ASSERT_EQUAL(-EINVAL, mio_config_load_from("/nowhere", environment, &config, &message));
	return mio_text_string(&message);
}

static void should_count_columns_in_characters(void)
{
	set_files("\xc3\xa9\xf0\x9d\x84\x9e [ x ]");
	ASSERT_STARTS("MIO_FILES, column 7: there is no layer 'x' (layers", mistake());
	ASSERT_STRING("\n  \xc3\xa9\xf0\x9d\x84\x9e [ x ]\n        ^", strchr(mistake(), '\n'));
}

static void should_show_the_surroundings_of_a_mistake(void)
{
	char files[400];

	snprintf(files, sizeof(files), "%0100d [ trace/bad %0100d", 7, 8);
	set_files(files);
	ASSERT_STRING("\n  00000000000000000000000000000000000000007 [ trace/bad 000000000000000000000000\n"
		      "                                                    ^",
		      strchr(mistake(), '\n'));
}

/* Appends this many of a character that counts as two. */
static void add_clefs(char *text, int count)
{
	while (count-- > 0)
		strcat(text, "\xf0\x9d\x84\x9e");
}

static void should_show_whole_characters_round_a_mistake(void)
{
	char files[600] = "", shown[600] = "\n  ";
	const char *text;

	add_clefs(files, 40);
	strcat(files, "- [ x");
	add_clefs(files, 9);
	strcat(files, "+");
	add_clefs(files, 40);
	set_files(files);
	add_clefs(shown, 23);
	strcat(shown, "- [ x");
	add_clefs(shown, 9);
	strcat(shown, "+");
	add_clefs(shown, 4);
	snprintf(shown + strlen(shown), 100, "\n%*s^", 2 + 23 * 2 + 4, "");
	text = mistake();
	ASSERT_STARTS("MIO_FILES, column 85: there is no layer 'x", text);
	ASSERT_STRING(shown, strchr(text, '\n'));
}

int main(void)
{
	RUN(should_count_columns_in_characters);
	RUN(should_show_the_surroundings_of_a_mistake);
	RUN(should_show_whole_characters_round_a_mistake);
	free(environment[0]);
	mio_text_clear(&message);
	return TEST_RESULT();
}
