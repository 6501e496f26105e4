/*
 * The C side of StatsTwinTest in Java: makes report blocks from numbers, which Java compares with its own. No test by itself. For
 * the form of the cases see twin_case.h.
 *
 * twin_stats tables   prints the names of what is counted: a line each, with tabs between the fields
 * twin_stats blocks   reads cases that are a snapshot each, and prints the block of each as classic text and as JSON
 *
 * A snapshot has a line block, pf, trace or auto, and then a line per member under the name that the tables have, with a text or a
 * number. A member that is missing is 0 or "".
 */
#include "../src/stats/stats_auto.h"
#include "../src/stats/stats_pf.h"
#include "../src/stats/stats_trace.h"
#include "twin_case.h"

/* X(member): the numbers of a row, and those of a whole trace block. */
#define ROW_NUMBERS(X) \
	X(count) X(ns) X(requested) X(delivered) X(smallest) X(largest) X(suspends) X(suspend_ns) X(errors)
#define TRACE_NUMBERS(X) \
	X(extensions) X(current_size) X(max_size) X(sector_bytes) X(ill_formed) X(misaligned) X(seek_delta) \
	X(opened_ns) X(now_ns)

/* ---- the tables */

static void print_tables(void)
{
	static const char *const shapes[] = {"timed", "transfer", "asynchronous"};

#define OPERATION(name, label, shape) printf("trace operation\t" #name "\t%s\t%s\n", label, shapes[MIO_TRACE_##shape]);
	MIO_TRACE_OPERATION_LIST(OPERATION)
#define PATTERN(name, label) printf("trace pattern\t" #name "\t%s\n", label);
	MIO_TRACE_PATTERN_LIST(PATTERN)
#define COUNTER(member, name) printf("pf counter\t" #member "\n");
	MIO_STATS_PF_COUNTERS(COUNTER)
#define DETAIL(member, name) printf("pf detail\t" #member "\n");
	MIO_STATS_PF_DETAILS(DETAIL)
#define TRANSFERS(member, name) printf("pf transfers\t" #member "\n");
	MIO_STATS_PF_TRANSFERS(TRANSFERS)
#define PLAN(member) printf("pf plan\t" #member "\n");
	MIO_STATS_PF_PLAN(PLAN)
	MIO_STATS_PF_STRAY(PLAN)
#define UNIT(label, shift) printf("unit\t%s\t%lld\n", label, 1LL << (shift));
	MIO_STATS_UNITS(UNIT)
	for (int i = MIO_STATS_CLOSE; i <= MIO_STATS_INTER; i++)
		printf("event\t%s\n", mio_stats_event_label((enum mio_stats_event)i));
}

/* ---- blocks */

static const char *text_of(const struct twin_case *read, const char *key)
{
	for (int i = 0; i < read->count; i++)
		if (strcmp(read->line[i], key) == 0)
			return read->value[i];
	return NULL;
}

static int64_t number_of(const struct twin_case *read, const char *key)
{
	const char *text = text_of(read, key);

	return text ? strtoll(text, NULL, 10) : 0;
}

static int64_t number_in(const struct twin_case *read, const char *of, const char *key)
{
	char name[100];

	snprintf(name, sizeof(name), "%s.%s", of, key);
	return number_of(read, name);
}

/* Reads numbers separated by blanks. */
static void numbers_of(const struct twin_case *read, const char *key, int64_t *numbers, int most)
{
	const char *at = text_of(read, key);
	char *end;

	memset(numbers, 0, sizeof(*numbers) * (size_t)most);
	for (int i = 0; at && *at; i++, at = end) {
		assert(i < most);
		numbers[i] = strtoll(at, &end, 10);
		assert(end != at);
	}
}

static enum mio_stats_event event_of(const struct twin_case *read)
{
	return (enum mio_stats_event)number_of(read, "event");
}

/* Prints only the members of the block; those before them are the process's. */
static void print_json(struct mio_text *json, const char *first)
{
	const char *members = strstr(mio_text_string(json), first);

	assert(members);
	twin_print_value("json", members);
	mio_text_clear(json);
}

static struct mio_stats_transfers transfers_of(const struct twin_case *read, const char *name)
{
	struct mio_stats_transfers all;

#define SET_TRANSFERS(member, json) all.member = number_in(read, name, #member);
	MIO_STATS_PF_TRANSFERS(SET_TRANSFERS)
	return all;
}

static struct mio_stats_plan plan_of(const struct twin_case *read)
{
	const char *none = text_of(read, "plan.none");
	struct mio_stats_plan plan = {
		.is_asked = none || text_of(read, "plan.pages"),
		.none = none,
		.follows = (int)number_of(read, "plan.follows"),
	};

#define SET_PLAN(member) plan.member = number_in(read, "plan", #member);
	MIO_STATS_PF_PLAN(SET_PLAN)
	MIO_STATS_PF_STRAY(SET_PLAN)
	return plan;
}

static void answer_pf(const struct twin_case *read)
{
	struct mio_stats_pf pf = {
		.event = event_of(read),
		.file = text_of(read, "file"),
		.cache = (int)number_of(read, "cache"),
		.below = text_of(read, "below"),
		.tag = text_of(read, "tag"),
		.unit = text_of(read, "unit"),
		.program = transfers_of(read, "program"),
		.child = transfers_of(read, "child"),
		.backend = text_of(read, "backend"),
		.direct = (int)number_of(read, "direct"),
		.plan = plan_of(read),
	};
	struct mio_text text = {0};

#define SET_PF(member, name) pf.member = number_of(read, #member);
	MIO_STATS_PF_COUNTERS(SET_PF)
	MIO_STATS_PF_DETAILS(SET_PF)
	mio_stats_pf_classic(&pf, &text);
	twin_print_text("classic", &text);
	mio_stats_pf_json(&pf, &text);
	print_json(&text, "\"of\":");
}

static void answer_trace(const struct twin_case *read)
{
	static struct mio_trace_row rows[MIO_TRACE_OPERATIONS];
	int64_t histograms[4][MIO_TRACE_BUCKETS], patterns[MIO_TRACE_PATTERNS], activity[2][MIO_TRACE_BINS];
	struct mio_trace_error error = {text_of(read, "error"), number_of(read, "error_count")};
	struct mio_stats_trace trace = {
		.event = event_of(read),
		.above = text_of(read, "above"),
		.below = text_of(read, "below"),
		.file = text_of(read, "file"),
		.unit = mio_stats_unit_of(text_of(read, "unit")),
		.rows = rows,
		.mode = (int)number_of(read, "mode"),
		.file_system_type = text_of(read, "file_system_type"),
		.oflags = (unsigned int)number_of(read, "oflags"),
		.oflag_names = text_of(read, "oflag_names"),
		.direct = (int)number_of(read, "direct"),
		.distributions = {
			.read_ns = histograms[0],
			.write_ns = histograms[1],
			.read_bytes = histograms[2],
			.write_bytes = histograms[3],
			.pattern_bytes = patterns,
			.activity_bin_ns = number_of(read, "activity_bin_ns"),
			.activity_read = activity[0],
			.activity_written = activity[1],
			.errors = &error,
			.error_count = error.name ? 1 : 0,
		},
	};
	struct mio_text text = {0};

#define SET_TRACE(member) trace.member = number_of(read, #member);
	TRACE_NUMBERS(SET_TRACE)
	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++) {
		const char *label = mio_trace_operation_label((enum mio_trace_operation)i);

#define SET_ROW(member) rows[i].member = number_in(read, label, #member);
		ROW_NUMBERS(SET_ROW)
	}
	numbers_of(read, "read_ns_histogram", histograms[0], MIO_TRACE_BUCKETS);
	numbers_of(read, "write_ns_histogram", histograms[1], MIO_TRACE_BUCKETS);
	numbers_of(read, "read_bytes_histogram", histograms[2], MIO_TRACE_BUCKETS);
	numbers_of(read, "write_bytes_histogram", histograms[3], MIO_TRACE_BUCKETS);
	numbers_of(read, "patterns", patterns, MIO_TRACE_PATTERNS);
	numbers_of(read, "activity_read_bytes", activity[0], MIO_TRACE_BINS);
	numbers_of(read, "activity_written_bytes", activity[1], MIO_TRACE_BINS);
	mio_stats_trace_classic(&trace, &text);
	twin_print_text("classic", &text);
	mio_stats_trace_json(&trace, &text);
	print_json(&text, "\"file\":");
}

static void answer_auto(const struct twin_case *read)
{
	struct mio_stats_decision decisions[4];
	struct mio_stats_auto automatic = {
		.event = event_of(read),
		.file = text_of(read, "file"),
		.tag = text_of(read, "tag"),
		.unit = text_of(read, "unit"),
		.opened_ns = number_of(read, "opened_ns"),
		.now_ns = number_of(read, "now_ns"),
		.state = text_of(read, "state"),
		.looks = number_of(read, "looks"),
		.hints = number_of(read, "hints"),
		.hint_bytes = number_of(read, "hint_bytes"),
		.cached = number_of(read, "cached"),
		.decisions = decisions,
		.more = number_of(read, "more"),
	};
	struct mio_text text = {0};

	for (int i = 0; i < 4; i++) {
		char name[3][40];

		snprintf(name[0], sizeof(name[0]), "decision%d.ns", i);
		snprintf(name[1], sizeof(name[1]), "decision%d.what", i);
		snprintf(name[2], sizeof(name[2]), "decision%d.reason", i);
		if (!text_of(read, name[0]))
			break;
		decisions[automatic.count++] = (struct mio_stats_decision){
			number_of(read, name[0]), text_of(read, name[1]), text_of(read, name[2])};
	}
	mio_stats_auto_classic(&automatic, &text);
	twin_print_text("classic", &text);
	mio_stats_auto_json(&automatic, &text);
	print_json(&text, "\"file\":");
}

static void answer_block(const struct twin_case *read)
{
	if (strcmp(text_of(read, "block"), "auto") == 0)
		answer_auto(read);
	else if (strcmp(text_of(read, "block"), "pf") == 0)
		answer_pf(read);
	else
		answer_trace(read);
}

int main(int count, char **arguments)
{
	const char *what = count == 2 ? arguments[1] : "";

	if (strcmp(what, "tables") == 0)
		print_tables();
	else if (strcmp(what, "blocks") == 0)
		twin_answer_all(answer_block);
	else
		return 2;
	return fflush(stdout) == 0 ? 0 : 1;
}
