/* The golden cases of all blocks, and the text that blocks are made of. */
#include "../src/layer/layer_error.h"
#include "../src/layer/layer_flags.h"
#include "../src/stats/stats_header.h"
#include "../src/stats/stats_json.h"
#include "../src/stats/stats_auto.h"
#include "../src/stats/stats_pf.h"
#include "../src/stats/stats_recov.h"
#include "../src/stats/stats_text.h"
#include "../src/stats/stats_trace.h"
#include "stats_twin.h"

#include <errno.h>
#include <fcntl.h>

static int64_t zeros[MIO_TRACE_BUCKETS];

struct trace_case {
	struct twin twin;
	struct mio_trace_row rows[MIO_TRACE_OPERATIONS];
	struct mio_stats_trace trace;
};

static enum mio_stats_event event_of(const char *label)
{
	for (enum mio_stats_event event = MIO_STATS_CLOSE; event <= MIO_STATS_INTER; event++)
		if (strcmp(mio_stats_event_label(event), label) == 0)
			return event;
	ASSERT(0);
	return MIO_STATS_CLOSE;
}

static char *value(const struct twin *twin, const char *key)
{
	return twin_value(twin, "counters", key);
}

static int64_t number(const struct twin *twin, const char *key)
{
	return twin_number(twin, "counters", key);
}

static struct trace_case *trace_case(const char *name)
{
	static struct trace_case cases[16];
	static size_t used;
	struct trace_case *one = &cases[used++];
	struct mio_stats_trace *trace = &one->trace;
	const struct twin *twin = &one->twin;

	one->twin = twin_read(name);
	for (int i = 0; i < MIO_TRACE_OPERATIONS; i++) {
		struct mio_trace_row *row = &one->rows[i];
		char key[32];
		char *text;

		snprintf(key, sizeof(key), "op %s", mio_trace_operation_label((enum mio_trace_operation)i));
		text = value(twin, key);
		if (text)
			ASSERT(sscanf(text, "%ld %ld %ld %ld %ld %ld %ld %ld", &row->count, &row->ns, &row->requested,
				      &row->delivered, &row->smallest, &row->largest, &row->suspends,
				      &row->suspend_ns) >= 2);
		}
	trace->event = event_of(value(twin, "event"));
	trace->above = value(twin, "above");
	trace->below = value(twin, "below");
	trace->file = value(twin, "file");
	trace->unit = mio_stats_unit_of(value(twin, "unit"));
	trace->rows = one->rows;
	trace->extensions = number(twin, "extensions");
	trace->current_size = number(twin, "currentSize");
	trace->max_size = number(twin, "maxSize");
	trace->mode = (int)number(twin, "mode");
	trace->file_system_type = value(twin, "fileSystemType");
	trace->sector_bytes = number(twin, "sectorBytes");
	trace->oflags = (unsigned int)number(twin, "oflags");
	trace->oflag_names = value(twin, "oflagNames");
	trace->direct = value(twin, "direct") != NULL;
	trace->ill_formed = number(twin, "illFormed");
	trace->misaligned = number(twin, "misaligned");
	trace->seek_delta = number(twin, "seekDelta");
	trace->opened_ns = number(twin, "openedNanos");
	trace->now_ns = number(twin, "nowNanos");
	trace->distributions = (struct mio_trace_distributions){
		.read_ns = zeros, .write_ns = zeros, .read_bytes = zeros, .write_bytes = zeros,
		.pattern_bytes = zeros, .activity_bin_ns = 1, .activity_read = zeros, .activity_written = zeros};
	return one;
}

static void should_print_the_reports_of_the_original(void)
{
	static const char *const names[] = {"stats/alot_buf_trace.txt", "stats/alot_buf_pf_upper.txt",
					    "stats/alot_buf_pf_lower.txt", "stats/nastran_upper.txt",
					    "stats/nastran_lower.txt"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct trace_case *one = trace_case(names[i]);
		struct mio_text text = {0};

		mio_stats_trace_classic(&one->trace, &text);
		ASSERT_TEXT(twin_part(&one->twin, "report"), mio_text_string(&text));
		mio_text_clear(&text);
	}
}

static void should_add_up_what_was_delivered_and_the_time_it_took(void)
{
	struct trace_case *lower = trace_case("stats/alot_buf_pf_lower.txt");
	struct trace_case *upper = trace_case("stats/alot_buf_pf_upper.txt");

	ASSERT_EQUAL(1920 + 13998080 + 6144 + 27891584, mio_stats_trace_total_bytes(&lower->trace) >> 10);
	ASSERT_EQUAL(28888 + 48375, mio_stats_trace_transfer_ns(&upper->trace) / 10000000);
	ASSERT_EQUAL(-307192, mio_stats_trace_average_seek(&upper->trace));
	ASSERT_EQUAL(-2097036, mio_stats_trace_average_seek(&lower->trace));
}

static void should_print_no_rate_where_no_time_passed(void)
{
	struct trace_case *one = trace_case("stats/alot_buf_trace.txt");
	struct mio_text text = {0};

	memset(one->rows, 0, sizeof(one->rows));
	one->trace.mode = -1;
	mio_stats_trace_classic(&one->trace, &text);
	ASSERT_HAS("(0/0.00)=0.00 kbytes/s", mio_text_string(&text));
	ASSERT_HAS("mode =unknown", mio_text_string(&text));
	ASSERT_HAS_NOT("read", mio_text_string(&text));
	mio_text_clear(&text);
}

static void should_write_json_that_keeps_odd_names(void)
{
	struct trace_case *one = trace_case("stats/alot_buf_trace.txt");
	struct mio_trace_error errors[] = {{"EIO", 2}, {"ENOSPC", 1}};
	int64_t histogram[MIO_TRACE_BUCKETS] = {0, 7, 0, 5};
	struct mio_text text = {0};

	one->trace.file = "a \"b\"\\ \n\001\177 \xf0\x9f\x98\x80 \xed\xa0\x80\xff\xc3\xa9\xc0\x80";
	one->trace.distributions.errors = errors;
	one->trace.distributions.error_count = 2;
	one->trace.distributions.read_ns = histogram;
	mio_stats_trace_json(&one->trace, &text);
	ASSERT_HAS("\"file\":\"a \\\"b\\\"\\\\ \\u000a\\u0001\\u007f \xf0\x9f\x98\x80 "
		   "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\"",
		   mio_text_string(&text));
	ASSERT_HAS("\"write\":{\"count\":140000,\"ns\":238160000000,\"requested_bytes\":14336000000,"
		   "\"delivered_bytes\":14336000000,\"smallest_bytes\":102400,\"largest_bytes\":102400}",
		   mio_text_string(&text));
	ASSERT_HAS("\"total_bytes\":43008000000,", mio_text_string(&text));
	ASSERT_HAS("\"mode\":\"0640\",\"file_system_type\":\"JFS2\",\"sector_bytes\":4096,\"oflags\":\"0x302\","
		   "\"oflag_names\":\"RDWR  CREAT  TRUNC\",\"operations\":{\"open\":{",
		   mio_text_string(&text));
	ASSERT_HAS("\"delta_bytes\":-43007897600,\"average_delta_bytes\":-307192}", mio_text_string(&text));
	ASSERT_HAS("\"read_ns_histogram\":[0,7,0,5],\"write_ns_histogram\":[],", mio_text_string(&text));
	ASSERT_HAS("\"errors\":{\"EIO\":2,\"ENOSPC\":1}}\n", mio_text_string(&text));
	ASSERT(strstr(text.bytes, "{\"type\":\"trace\",\"format\":1,\"time\":\"2") == text.bytes);
	ASSERT_HAS("\",\"pid\":", mio_text_string(&text));
	mio_text_clear(&text);
}

/* The first and the last character of each length, and their neighbours. */
static void should_write_json_of_the_characters_there_are(void)
{
	static const char good[] = "\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf";
	static const char *const bad[] = {"\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
					  "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"};
	struct trace_case *one = trace_case("stats/alot_buf_trace.txt");
	char expected[100];
	struct mio_text text = {0};

	one->trace.file = good;
	mio_stats_trace_json(&one->trace, &text);
	snprintf(expected, sizeof(expected), "\"file\":\"%s\"", good);
	ASSERT_HAS(expected, mio_text_string(&text));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		mio_text_clear(&text);
		one->trace.file = bad[i];
		mio_stats_trace_json(&one->trace, &text);
		snprintf(expected, sizeof(expected), "\"file\":\"%.*s\"", (int)(3 * strlen(bad[i])),
			 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
		ASSERT_HAS(expected, mio_text_string(&text));
	}
	mio_text_clear(&text);
}

static void read_transfers(const struct twin *twin, const char *key, struct mio_stats_transfers *all)
{
	char *text = value(twin, key);

	ASSERT(text && sscanf(text, "%ld %ld %ld %ld", &all->bytes_written, &all->writes, &all->bytes_read,
			      &all->reads) == 4);
}

static void read_plan(const struct twin *twin, struct mio_stats_plan *plan)
{
	char *text = value(twin, "plan"), *none = value(twin, "noPlan");
	char *escape = none ? strstr(none, "\\012") : NULL;

	if (escape) {
		*escape = '\n';
		memmove(escape + 1, escape + 4, strlen(escape + 4) + 1);
	}
	plan->is_asked = text || none;
	plan->none = none;
	if (text)
		ASSERT_EQUAL(8, sscanf(text, "%d %ld %ld %ld %ld %ld %ld %ld", &plan->follows, &plan->pages, &plan->place,
				       &plan->followed, &plan->requests, &plan->left, &plan->stray, &plan->stray_of));
}

static struct mio_stats_pf pf_case(const struct twin *twin)
{
	struct mio_stats_pf pf = {
		.event = event_of(value(twin, "event")),
		.file = value(twin, "file"),
		.cache = (int)number(twin, "cache"),
		.below = value(twin, "below"),
		.tag = value(twin, "tag"),
		.unit = value(twin, "unit"),
		.pages = number(twin, "pages"),
		.page_bytes = number(twin, "pageBytes"),
		.sector_bytes = number(twin, "sectorBytes"),
		.not_preread = number(twin, "notPreread"),
		.not_preread_for_write = number(twin, "notPrereadForWrite"),
		.unused_prefetches = number(twin, "unusedPrefetches"),
		.started_prefetches = number(twin, "startedPrefetches"),
		.distance = number(twin, "distance"),
		.write_behinds = number(twin, "writeBehinds"),
		.forced_syncs = number(twin, "forcedSyncs"),
		.retained_pages = number(twin, "retainedPages"),
		.hits = 17,
		.gate_wait_ns = 18,
		.backend = "io_uring",
		.direct = 1,
	};

	if (!pf.tag)
		pf.tag = "";
	read_transfers(twin, "program", &pf.program);
	read_transfers(twin, "child", &pf.child);
	read_plan(twin, &pf.plan);
	return pf;
}

static void should_print_the_blocks_of_a_cache(void)
{
	static const char *const names[] = {"stats/alot_buf_pf_file.txt", "stats/alot_buf_pf_cache.txt",
					    "stats/pf_all_lines.txt", "stats/pf_plan.txt", "stats/pf_plan_left.txt",
					    "stats/pf_plan_none.txt"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct twin twin = twin_read(names[i]);
		struct mio_stats_pf pf = pf_case(&twin);
		struct mio_text text = {0};

		mio_stats_pf_classic(&pf, &text);
		ASSERT_TEXT(twin_part(&twin, "report"), mio_text_string(&text));
		mio_text_clear(&text);
	}
}

static void should_tell_in_json_how_the_file_went_by_its_plan(void)
{
	static const char *const names[] = {"stats/pf_plan.txt", "stats/pf_plan_left.txt", "stats/pf_plan_none.txt"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct twin twin = twin_read(names[i]);
		struct mio_stats_pf pf = pf_case(&twin);
		struct mio_text expected = {0}, text = {0};

		mio_text_add(&expected, "\"direct\":true,");
		mio_text_add(&expected, twin_part(&twin, "json"));
		mio_stats_pf_json(&pf, &text);
		ASSERT_HAS(mio_text_string(&expected), mio_text_string(&text));
		mio_text_clear(&expected);
		mio_text_clear(&text);
	}
}

static void should_write_the_blocks_of_a_cache_as_json(void)
{
	struct twin twin = twin_read("stats/alot_buf_pf_cache.txt");
	struct mio_stats_pf pf = pf_case(&twin);
	struct mio_text text = {0};

	mio_stats_pf_json(&pf, &text);
	ASSERT_HAS("\"event\":\"close\",\"of\":\"cache\",\"file\":null,\"cache\":\"global\",\"cache_number\":0,"
		   "\"below\":\"aix\",\"unit\":\"bytes\",\"tag\":\"\",\"pages\":50,\"page_bytes\":2097152,"
		   "\"sector_bytes\":4096,\"not_preread\":6840,\"not_preread_for_write\":6840,\"unused_prefetches\":7,"
		   "\"started_prefetches\":20459,\"distance_pages\":4,\"write_behinds\":6835,\"forced_syncs\":0,"
		   "\"retained_pages\":0,\"program\":{\"written_bytes\":14336000000,\"writes\":140000,"
		   "\"read_bytes\":28672000000,\"reads\":280000},\"child\":{",
		   mio_text_string(&text));
	ASSERT_HAS("\"hits\":17,\"misses\":0,\"partial_reads\":0,\"prefetch_waits\":0,\"prefetch_wait_ns\":0,"
		   "\"evictions\":0,\"dirty_evictions\":0,\"write_errors\":0,\"streams\":0,\"gate_waits\":0,"
		   "\"gate_wait_ns\":18,\"backend\":\"io_uring\",\"direct\":true}\n",
		   mio_text_string(&text));
	mio_text_clear(&text);
	pf.cache = MIO_STATS_PF_PRIVATE;
	pf.file = "a\n";
	mio_stats_pf_json(&pf, &text);
	ASSERT_HAS("\"of\":\"file\",\"file\":\"a\\u000a\",\"cache\":\"private\",\"below\"", mio_text_string(&text));
	mio_text_clear(&text);
}

/* The line has nanoseconds, a word and a reason. */
static int read_decision(const struct twin *twin, int number, struct mio_stats_decision *decision)
{
	char key[32];
	char *text;

	snprintf(key, sizeof(key), "decision%d", number);
	text = twin_value(twin, "counters", key);
	if (!text)
		return 0;
	decision->ns = strtoll(strsep(&text, " "), NULL, 10);
	decision->what = strsep(&text, " ");
	decision->reason = text;
	return 1;
}

static void should_print_the_blocks_of_an_open_under_auto(void)
{
	static const char *const names[] = {"stats/auto.txt", "stats/auto_all_lines.txt"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct twin twin = twin_read(names[i]);
		const char *tag = twin_value(&twin, "counters", "tag");
		struct mio_stats_decision decisions[4];
		struct mio_stats_auto automatic = {
			.event = i == 0 ? MIO_STATS_CLOSE : MIO_STATS_INTER,
			.file = i == 0 ? "solver\nx.dat" : twin_value(&twin, "counters", "file"),
			.tag = tag ? tag : "",
			.unit = twin_value(&twin, "counters", "unit"),
			.opened_ns = twin_number(&twin, "counters", "opened"),
			.now_ns = twin_number(&twin, "counters", "now"),
			.state = twin_value(&twin, "counters", "state"),
			.looks = twin_number(&twin, "counters", "looks"),
			.hints = twin_number(&twin, "counters", "hints"),
			.hint_bytes = twin_number(&twin, "counters", "hintBytes"),
			.cached = twin_number(&twin, "counters", "cached"),
			.decisions = decisions,
			.more = twin_number(&twin, "counters", "moreDecisions"),
		};
		struct mio_text text = {0};

		while (automatic.count < 4 && read_decision(&twin, automatic.count + 1, &decisions[automatic.count]))
			automatic.count++;
		mio_stats_auto_classic(&automatic, &text);
		ASSERT_TEXT(twin_part(&twin, "report"), mio_text_string(&text));
		mio_text_clear(&text);
		mio_stats_auto_json(&automatic, &text);
		ASSERT_HAS("{\"type\":\"auto\",\"format\":1,\"time\":", mio_text_string(&text));
		ASSERT_TEXT(twin_part(&twin, "json"), strstr(mio_text_string(&text), "\"file\":"));
		mio_text_clear(&text);
	}
}

static struct mio_recov_message message_case(const struct twin *twin, const char *part)
{
	struct mio_recov_message message = {
		.file = twin_value(twin, part, "file"),
		.call = twin_value(twin, part, "call"),
		.error = (int)twin_number(twin, part, "errno"),
		.command = twin_value(twin, part, "command"),
		.attempt = twin_number(twin, part, "attempt"),
		.retry = twin_number(twin, part, "retry"),
		.result = twin_number(twin, part, "result"),
	};

	ASSERT_TEXT("a\\012b.dat", message.file);
	message.file = "a\nb.dat";
	ASSERT_TEXT(twin_value(twin, part, "error"), mio_error_name(message.error));
	return message;
}

static void should_print_attempts_and_failures_each_on_its_line(void)
{
	struct twin twin = twin_read("stats/recov.txt");
	struct mio_recov_message attempt = message_case(&twin, "attempt");
	struct mio_recov_message failure = message_case(&twin, "failure");
	struct mio_text text = {0};

	mio_recov_message_classic(&attempt, &text);
	mio_recov_message_classic(&failure, &text);
	ASSERT_TEXT(twin_part(&twin, "report"), mio_text_string(&text));
	mio_text_clear(&text);
	attempt.command = "";
	mio_recov_message_json(&attempt, &text);
	mio_recov_message_json(&failure, &text);
	ASSERT_HAS("\"event\":\"attempt\",\"file\":\"a\\u000ab.dat\",\"call\":\"write\",\"error\":\"ENOSPC\","
		   "\"errno\":28,\"try\":2,\"retry\":3,\"command\":null}\n",
		   mio_text_string(&text));
	ASSERT_HAS("\"event\":\"failure\",\"file\":\"a\\u000ab.dat\",\"call\":\"write\",\"error\":\"EFBIG\","
		   "\"errno\":27,\"try\":2,\"retry\":3,\"result\":-1}\n",
		   mio_text_string(&text));
	mio_text_clear(&text);
}

/* A value of the header, with the control characters that its escapes stand for. */
static char *plain(const struct twin *twin, const char *key)
{
	char *value = twin_value(twin, "header", key);
	char *to = value;

	for (const char *from = value; from && *from; to++) {
		size_t skip = strncmp(from, "\\n", 2) == 0 || strncmp(from, "\\t", 2) == 0 ? 2 : strncmp(from, "\\x7f", 4) == 0 ? 4 : 1;

		*to = skip == 1 ? *from : skip == 4 ? 0x7f : from[1] == 'n' ? '\n' : '\t';
		from += skip;
	}
	if (to)
		*to = 0;
	return value;
}

static void check_header(const char *name, struct mio_text *json)
{
	struct twin twin = twin_read(name);
	char *date = twin_value(&twin, "header", "date");
	char *words = twin_value(&twin, "header", "keywords");
	const char *keywords[8] = {NULL};
	struct mio_stats_header header = {
		.host = plain(&twin, "host"),
		.engine = plain(&twin, "engine"),
		.program = plain(&twin, "program"),
		.library = plain(&twin, "library"),
		.stats = plain(&twin, "stats"),
		.debug = plain(&twin, "debug"),
		.files = plain(&twin, "files"),
		.defaults = plain(&twin, "defaults"),
		.keywords = keywords,
	};
	static const struct mio_stats_zone utc;
	struct mio_text text = {0};
	int year, month, day, hour, minute, second;

	for (int i = 0; words; i++)
		keywords[i] = strsep(&words, " ");
	ASSERT_EQUAL(6, sscanf(date, "%d-%d-%dT%d:%d:%d", &year, &month, &day, &hour, &minute, &second));
	header.date = mio_stats_zone_date(&utc, mio_stats_days(year, month, day) * 86400 + hour * 3600 + minute * 60 +
							second);
	mio_stats_header_classic(&header, &text);
	ASSERT_TEXT(twin_part(&twin, "report"), mio_text_string(&text));
	mio_text_clear(&text);
	mio_stats_header_json(&header, json);
}

static void should_print_the_header_of_the_original(void)
{
	struct mio_text text = {0};

	check_header("stats/header.txt", &text);
	ASSERT_HAS("\"host\":\"miohost\",\"program\":\"/mio/alot_buf\",\"library\":\"libmio.a 3.0.0.60  AIX", text.bytes);
	ASSERT_HAS("\"engine\":\"Legacy aio available\",\"MIO_STATS\":\"mio_analyze.stats\",\"MIO_DEBUG\":\" MATCH",
		   text.bytes);
	ASSERT_HAS(",\"MIO_FILES\":\"* [ trace/stats/kbytes ]\",\"MIO_DEFAULTS\":\"\"}\n", text.bytes);
	mio_text_clear(&text);
}

static void should_keep_each_value_of_the_header_on_its_line(void)
{
	struct mio_text text = {0};

	check_header("stats/header_lines.txt", &text);
	mio_text_clear(&text);
}

static void check_seconds(int64_t ns, const char *expected)
{
	struct mio_text text = {0};

	mio_stats_add_seconds(&text, ns, 0);
	ASSERT_TEXT(expected, mio_text_string(&text));
	mio_text_clear(&text);
}

static void should_round_seconds_half_up(void)
{
	check_seconds(0, "0.00");
	check_seconds(4999999, "0.00");
	check_seconds(5000000, "0.01");
	check_seconds(14999999, "0.01");
	check_seconds(125000000, "0.13");
	check_seconds(1513954500000, "1513.95");
	check_seconds(-30000000, "-0.03");
	check_seconds(-4999999, "0.00");
	check_seconds(-5000001, "-0.01");
}

static void check_rate(double rate, const char *expected)
{
	struct mio_text text = {0};

	mio_stats_add_rate(&text, rate, 0);
	ASSERT_TEXT(expected, mio_text_string(&text));
	mio_text_clear(&text);
}

static void should_round_rates_half_up(void)
{
	check_rate(0.125, "0.13");
	check_rate(0.004, "0.00");
	check_rate(27741.924, "27741.92");
	check_rate(1e15, "1000000000000000.00");
	check_rate(1e30, "92233720368547758.07");
	check_rate(0.0049999999999999996, "0.00");
}

static void should_line_columns_up_and_never_cut_a_number(void)
{
	struct mio_text text = {0};

	mio_text_add_left(&text, "read", 6);
	mio_stats_add_right(&text, 7, 3);
	mio_stats_add_right(&text, 12345, 3);
	mio_stats_add_left(&text, INT64_MIN, 3);
	mio_stats_add_seconds(&text, 10000000, 6);
	ASSERT_TEXT("read    712345-9223372036854775808  0.01", mio_text_string(&text));
	mio_text_clear(&text);
}

static void should_know_units_by_their_labels(void)
{
	ASSERT_EQUAL(1, mio_stats_unit_whole(mio_stats_unit_of("gbytes"), ((int64_t)2 << 30) - 1));
	ASSERT_EQUAL(40, mio_stats_unit_of("tbytes")->shift);
	ASSERT_TEXT("bytes", mio_stats_unit_of("")->label);
	ASSERT_TEXT("bytes", mio_stats_unit_of(NULL)->label);
}

static void check_flags(int oflags, const char *expected)
{
	struct mio_text text = {0};

	mio_flags_names(mio_flags_shown(oflags), &text);
	ASSERT_TEXT(expected, mio_text_string(&text));
	mio_text_clear(&text);
}

static void should_name_flags_in_the_order_of_reports(void)
{
	check_flags(O_RDONLY | O_CLOEXEC, "RDONLY");
	check_flags(O_RDWR | O_CREAT | O_TRUNC, "RDWR  CREAT  TRUNC");
	check_flags(O_WRONLY | O_APPEND | O_DSYNC | O_EXCL | O_CREAT, "WRONLY  CREAT  EXCL  APPEND  DSYNC");
	check_flags(O_WRONLY | O_SYNC | O_DIRECT | O_NOFOLLOW, "WRONLY  SYNC  DIRECT  NOFOLLOW");
	ASSERT_EQUAL(O_RDWR | O_NOFOLLOW, mio_flags_shown(O_RDWR | O_CLOEXEC | O_NOFOLLOW));
}

static void should_name_errors_whatever_their_sign(void)
{
	ASSERT_TEXT("ENOSPC", mio_error_name(-ENOSPC));
	ASSERT_TEXT("EHOSTUNREACH", mio_error_name(EHOSTUNREACH));
	ASSERT_TEXT("Permission denied", mio_error_words(EACCES));
	ASSERT_TEXT("unknown", mio_error_name(12345));
	for (int error = 1; error <= 133; error++)
		if (strcmp(mio_error_name(error), "unknown") != 0)
			ASSERT_TEXT(strerror(error), mio_error_words(error));
}

int main(void)
{
	RUN(should_print_the_reports_of_the_original);
	RUN(should_add_up_what_was_delivered_and_the_time_it_took);
	RUN(should_print_no_rate_where_no_time_passed);
	RUN(should_write_json_that_keeps_odd_names);
	RUN(should_write_json_of_the_characters_there_are);
	RUN(should_print_the_blocks_of_a_cache);
	RUN(should_tell_in_json_how_the_file_went_by_its_plan);
	RUN(should_write_the_blocks_of_a_cache_as_json);
	RUN(should_print_the_blocks_of_an_open_under_auto);
	RUN(should_print_attempts_and_failures_each_on_its_line);
	RUN(should_print_the_header_of_the_original);
	RUN(should_keep_each_value_of_the_header_on_its_line);
	RUN(should_round_seconds_half_up);
	RUN(should_round_rates_half_up);
	RUN(should_line_columns_up_and_never_cut_a_number);
	RUN(should_know_units_by_their_labels);
	RUN(should_name_flags_in_the_order_of_reports);
	RUN(should_name_errors_whatever_their_sign);
	return TEST_RESULT();
}
