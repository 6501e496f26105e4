/* The exact bytes of events files: calls.txt gives calls.hex, for both doors. */
#include "events_see.h"

#include <errno.h>

static char *field(char **line)
{
	char *begin = *line + strspn(*line, " ");
	size_t length = strcspn(begin, " \n");

	*line = begin + length + (begin[length] != 0);
	return kept(begin, length);
}

static int64_t number(char **line)
{
	char *text = field(line);

	return text[0] == '-' ? strtoll(text, NULL, 10) : (int64_t)strtoull(text, NULL, 10);
}

static struct mio_trace_writer *begin_as(char *line, const char *path)
{
	struct mio_trace_facts facts = {.path = path};

	facts.limit_bytes = number(&line);
	facts.tree = (uint64_t)number(&line);
	facts.process = (uint32_t)number(&line);
	facts.parent = (uint32_t)number(&line);
	facts.door = (uint32_t)number(&line);
	facts.realtime_ns = number(&line);
	facts.monotonic_ns = number(&line);
	facts.program = field(&line);
	facts.host = field(&line);
	facts.library = field(&line);
	return writer_of(&facts);
}

static void define_as(struct mio_trace_writer *writer, char *line)
{
	struct mio_trace_definition definition = {0};
	struct mio_trace_words words[5] = {{MIO_TRACE_TEXT_PATH, NULL}};

	definition.layer = (uint8_t)number(&line);
	definition.place = (uint8_t)number(&line);
	definition.opened_ns = number(&line);
	definition.device = (uint64_t)number(&line);
	definition.inode = (uint64_t)number(&line);
	definition.oflags = (int32_t)number(&line);
	definition.mode = (int32_t)number(&line);
	definition.size_bytes = number(&line);
	definition.page_bytes = (uint32_t)number(&line);
	definition.frames = (uint32_t)number(&line);
	definition.cache = (uint32_t)number(&line);
	definition.sample = (uint32_t)number(&line);
	for (int i = 0; i < 4; i++)
		words[i] = (struct mio_trace_words){(enum mio_trace_text_kind)(i + 1), field(&line)};
	ASSERT(mio_trace_writer_define(writer, &definition, words) > 0);
}

static void decide_as(struct mio_trace_writer *writer, char *line)
{
	uint32_t file = (uint32_t)number(&line);
	int64_t ns = number(&line);
	uint32_t thread = (uint32_t)number(&line);
	struct mio_trace_words words[3] = {{MIO_TRACE_TEXT_WHAT, NULL}};

	for (int i = 0; i < 2; i++)
		words[i] = (struct mio_trace_words){(enum mio_trace_text_kind)(MIO_TRACE_TEXT_WHAT + i), field(&line)};
	mio_trace_writer_decide(writer, file, ns, thread, words);
}

static void put_as(struct mio_trace_writer *writer, char *line)
{
	struct mio_trace_event event = {0};

	event.type = (uint16_t)number(&line);
	event.operation = (uint8_t)number(&line);
	event.flags = (uint8_t)number(&line);
	event.file = (uint32_t)number(&line);
	event.start_ns = number(&line);
	event.duration_ns = number(&line);
	event.offset = number(&line);
	event.requested = number(&line);
	event.delivered = number(&line);
	event.error = (int32_t)number(&line);
	event.thread = (uint32_t)number(&line);
	event.number = (uint64_t)number(&line);
	mio_trace_writer_put(writer, &event);
}

static char *hex_of(const struct seen *seen)
{
	char *text = calloc(1, seen->length * 4);
	size_t used = 0;

	ASSERT(text);
	for (size_t at = 0; at < seen->length; at += 16) {
		static const unsigned char zeros[16];

		if (memcmp(seen->bytes + at, zeros, 16) == 0)
			continue;
		used += (size_t)sprintf(text + used, "%08zx:", at);
		for (size_t i = 0; i < 16; i++)
			used += (size_t)sprintf(text + used, " %02x", seen->bytes[at + i]);
		used += (size_t)sprintf(text + used, "\n");
	}
	sprintf(text + used, "%08zx\n", seen->length);
	return text;
}

static void should_write_the_golden_file(void)
{
	struct twin calls = twin_read("events/calls.txt");
	struct mio_trace_writer *writer = NULL;
	struct seen seen;
	char *line = calls.text;
	char *hex;

	if (*(const unsigned char *)&(const uint32_t){1} != 1)
		SKIP("the golden bytes are of a little-endian machine");
	while (*line) {
		char *rest = line;
		char *end = strchr(line, '\n');
		char *word;

		*end = 0;
		word = field(&rest);
		if (strcmp(word, "facts") == 0)
			writer = begin_as(rest, in_place("golden.events"));
		else if (strcmp(word, "define") == 0)
			define_as(writer, rest);
		else if (strcmp(word, "decide") == 0)
			decide_as(writer, rest);
		else
			put_as(writer, rest);
		line = end + 1;
	}
	seen = see(in_place("golden.events"));
	hex = hex_of(&seen);
	if (getenv("MIO_GOLDEN_UPDATE")) {
		FILE *file = fopen(getenv("MIO_GOLDEN_UPDATE"), "w");

		ASSERT(file && fputs(hex, file) >= 0 && fclose(file) == 0);
	}
	ASSERT(strcmp(twin_read("events/calls.hex").text, hex) == 0);
	free(hex);
	see_no_more(&seen);
}

int main(void)
{
	place_make();
	RUN(should_write_the_golden_file);
	place_remove();
	return TEST_RESULT();
}
