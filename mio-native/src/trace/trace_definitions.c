#include <string.h>

#include "trace_state.h"

/* Makes room for that many records, which belong together, in one block. The caller holds the lock. 1, or 0 without space. */
static int make_room(struct mio_trace_writer *writer, struct mio_trace_state *state, uint32_t records, int64_t ns)
{
	struct mio_trace_block *full = state->definitions;
	struct mio_trace_block *fresh;

	if (state->definitions && state->definitions_used + records <= MIO_TRACE_BLOCK_RECORDS)
		return 1;
	fresh = mio_trace_block_begin(writer, state, MIO_TRACE_BLOCK_DEFINITIONS, 0, ns);
	if (!fresh)
		return 0;
	state->definitions_used = 0;
	state->definitions = fresh;
	mio_trace_block_arrived(state);
	if (full)
		mio_trace_file_unmap(full, sizeof(*full));
	return 1;
}

static uint32_t records_of(const char *text)
{
	return (uint32_t)((strlen(text) + MIO_TRACE_TEXT_BYTES - 1) / MIO_TRACE_TEXT_BYTES);
}

static void put_text(struct mio_trace_state *state, enum mio_trace_text_kind kind, uint32_t id, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		size_t bytes = left < MIO_TRACE_TEXT_BYTES ? left : MIO_TRACE_TEXT_BYTES;
		union mio_trace_record record = {.text = {.type = MIO_TRACE_RECORD_TEXT, .id = id}};

		record.text.kind = (uint8_t)kind;
		record.text.bytes = (uint8_t)bytes;
		memcpy(record.text.text, text, bytes);
		mio_trace_put_record(state->definitions, state->definitions_used++, &record);
		text += bytes;
		left -= bytes;
	}
}

static int introduce(struct mio_trace_writer *writer, struct mio_trace_state *state, int64_t ns)
{
	union mio_trace_record record = {.process = {.type = MIO_TRACE_RECORD_PROCESS}};

	if (state->introduced)
		return 1;
	if (!make_room(writer, state, 1 + records_of(writer->facts.program), ns))
		return 0;
	record.process.process = writer->facts.process;
	record.process.parent = writer->facts.parent;
	record.process.door = writer->facts.door;
	record.process.began_ns = ns;
	mio_trace_put_record(state->definitions, state->definitions_used++, &record);
	put_text(state, MIO_TRACE_TEXT_PROGRAM, writer->facts.process, writer->facts.program);
	state->introduced = 1;
	return 1;
}

/* Writes a definition or a decision; both have their number at the same place in the record. */
static void define(struct mio_trace_writer *writer, struct mio_trace_state *state, union mio_trace_record *record, int64_t ns,
		   const struct mio_trace_words *words, uint32_t records)
{
	uint32_t id = 0;

	mio_lock_acquire(&state->lock);
	if (records <= MIO_TRACE_BLOCK_RECORDS && introduce(writer, state, ns) && make_room(writer, state, records, ns)) {
		id = atomic_fetch_add(&writer->header->files, 1) + 1;
		record->definition.file = id;
		mio_trace_put_record(state->definitions, state->definitions_used++, record);
		for (; words->text; words++)
			put_text(state, words->kind, id, words->text);
	}
	record->definition.file = id;
	mio_lock_release(&state->lock);
}

/* Returns the number of the record, or 0 without space. */
static uint32_t define_with_words(struct mio_trace_writer *writer, union mio_trace_record *record, int64_t ns,
				  const struct mio_trace_words *words)
{
	struct mio_trace_state *state;
	uint32_t records = 1;

	for (const struct mio_trace_words *one = words; one->text; one++)
		records += records_of(one->text);
	/* A child that was forked meanwhile defines it once more: the number was the parent's. */
	do {
		state = mio_trace_state_of(writer);
		define(writer, state, record, ns, words, records);
	} while (state != mio_trace_state_of(writer));
	/* The calls of the file cannot be recorded; the count of dropped events shows that some are missing. */
	if (!record->definition.file)
		mio_trace_drop(writer, ns);
	return record->definition.file;
}

uint32_t mio_trace_writer_define(struct mio_trace_writer *writer, struct mio_trace_definition *definition,
				 const struct mio_trace_words *words)
{
	union mio_trace_record record = {.definition = *definition};

	record.definition.type = MIO_TRACE_RECORD_FILE;
	definition->file = define_with_words(writer, &record, definition->opened_ns, words);
	return definition->file;
}

void mio_trace_writer_decide(struct mio_trace_writer *writer, uint32_t file, int64_t ns, uint32_t thread,
			     const struct mio_trace_words *words)
{
	union mio_trace_record record = {
		.decision = {.type = MIO_TRACE_RECORD_DECISION, .ns = ns, .file = file, .thread = thread},
	};

	define_with_words(writer, &record, ns, words);
}
