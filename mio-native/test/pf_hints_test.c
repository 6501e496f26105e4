/* The cases of twin/auto, which the Java side reads as well. */
#include "../src/pf/pf_hints.h"
#include "assert.h"
#include "twin_open.h"

enum { LINE = 8192 };

/* The state of a case: the requests so far, and what they led to. */
struct run {
	struct mio_pf_hints hints;
	struct mio_pf_hint last;
	long long now_ns;
	long looked, told, times;
	long asked;		/* how often it was asked whether a request is in the kernel's cache, since the case began */
	int warm;		/* every request is in the kernel's cache */
	int front;		/* the bytes before a request are in the kernel's cache, the request is not */
	int there;		/* the request is in the kernel's cache as well */
	int vain;		/* the kernel does not read on after a nudge */
	long nudged;		/* requests that were nudged since the case began */
	int nudges;		/* the last request was nudged */
	long long bytes;
	char decided[LINE];	/* the decisions since the case asked for them */
};

static void hear(struct run *run)
{
	struct mio_pf_hint_decisions *made = &run->hints.decisions;
	struct mio_text text = {0};
	size_t length = strlen(run->decided);

	if (!mio_pf_decisions_take(made))
		return;
	mio_pf_decisions_reason(made, &text);
	snprintf(run->decided + length, LINE - length, "%s: %s; ", mio_pf_decisions_word(made), mio_text_string(&text));
	mio_text_clear(&text);
}

static void decided(struct run *run, char *found)
{
	hear(run);
	snprintf(found, LINE, "%.8000snow %s", run->decided, mio_pf_decisions_now(&run->hints.decisions));
	run->decided[0] = 0;
}

static void begin(struct run *run, const char *text)
{
	int streams;
	long kernel, size = 0;

	memset(run, 0, sizeof(*run));
	run->now_ns = 1000;
	run->warm = strstr(text, " warm") != NULL;
	ASSERT(sscanf(text, "streams=%d kernel=%ld size=%ld", &streams, &kernel, &size) >= 2);
	ASSERT_EQUAL(0, mio_pf_hints_begin(&run->hints, streams, kernel, size));
}

/* Returns 0 if the request was not looked at (quiet). */
static int see(struct run *run, long long offset, long length)
{
	run->last.count = 0;
	hear(run);
	if (mio_pf_hints_is_quiet(&run->hints, offset, length))
		return 0;
	run->looked++;
	run->times += mio_pf_hints_is_timing(&run->hints);
	run->last = mio_pf_hints_seen(&run->hints, offset, length, run->now_ns);
	run->nudges = run->front && run->hints.nudges.front > 0;
	if (run->nudges) {
		run->nudged++;
		mio_pf_hints_nudged(&run->hints, &run->last);
		if (run->vain)
			mio_pf_nudges_in_vain(&run->hints.nudges);
		run->last.count = 0;
	} else if (run->there && run->hints.nudges.front > 0) {
		mio_pf_hints_is_there(&run->hints);
	}
	if (run->last.count > 0)
		run->told++;
	run->bytes += run->last.count * run->last.bytes;
	if (!run->nudges && run->last.count == 0 && mio_pf_hints_asks(&run->hints)) {
		run->asked++;
		if (!run->warm)
			mio_pf_hints_cold(&run->hints);
	}
	return 1;
}

static void request(struct run *run, const char *text, char *found)
{
	long long offset;
	long length;

	ASSERT_EQUAL(2, sscanf(text, "%lld %ld", &offset, &length));
	if (!see(run, offset, length))
		snprintf(found, LINE, "quiet");
	else if (run->nudges)
		snprintf(found, LINE, "nudge");
	else if (run->last.count == 0)
		snprintf(found, LINE, "none");
	else
		snprintf(found, LINE, "%lld %lld %+lld x%d", (long long)run->last.from, (long long)run->last.bytes,
			 (long long)run->last.step, run->last.count);
}

/* Many requests: the sums of what they found, and the way that was chosen in the end. */
static void pass(struct run *run, const char *text, char *found)
{
	static const char *const ways[] = {"ramp", "measure", "hold", "settle-kernel", "measure-kernel", "hold-kernel"};
	long long offset, step, ns, ns_alone;
	long length, count;
	char cached[16];

	ASSERT_EQUAL(7, sscanf(text, "from=%lld bytes=%ld step=%lld count=%ld ns=%lld alone=%lld %15s", &offset, &length,
			       &step, &count, &ns, &ns_alone, cached));
	run->looked = run->told = run->times = 0;
	run->bytes = 0;
	for (long i = 0; i < count; i++) {
		see(run, offset + i * step, length);
		if (run->last.count > 0 && strcmp(cached, "cached") == 0)
			mio_pf_hints_cached(&run->hints, &run->last);
		run->now_ns += mio_pf_hint_way_is_kernel_alone(&run->hints.way) ? ns_alone : ns;
	}
	snprintf(found, LINE, "looked %ld told %ld bytes %lld times %ld %s", run->looked, run->told, run->bytes, run->times,
		 ways[run->hints.way.state]);
}

/* Reads at places that look random, the same as on the Java side. */
static void scattered(struct run *run, const char *text, char *found)
{
	uint64_t seed = 1;
	long length, count;
	long long places;

	ASSERT_EQUAL(3, sscanf(text, "bytes=%ld places=%lld count=%ld", &length, &places, &count));
	run->looked = run->told = 0;
	run->bytes = 0;
	for (long i = 0; i < count; i++) {
		seed = seed * 6364136223846793005U + 1442695040888963407U;
		see(run, (long long)((seed >> 33) % (uint64_t)places) * length, length);
	}
	snprintf(found, LINE, "looked %ld told %ld bytes %lld", run->looked, run->told, run->bytes);
}

static void should_tell_what_the_golden_cases_say(void)
{
	FILE *file = open_twin("auto/hints.txt");
	char line[LINE], title[LINE] = "", found[LINE] = "";
	int update = getenv("MIO_GOLDEN_SHOW") != NULL;
	struct run run = {0};
	int cases = 0, lines = 0;

	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		lines++;
		if (strncmp(line, "== ", 3) == 0) {
			snprintf(title, sizeof(title), "%s", line);
			mio_pf_hints_end(&run.hints);
			cases++;
		} else if (strncmp(line, "hints: ", 7) == 0) {
			begin(&run, line + 7);
		} else if (strncmp(line, "room: ", 6) == 0) {
			mio_pf_hints_room(&run.hints, strtoll(line + 6, NULL, 10));
		} else if (strncmp(line, "request: ", 9) == 0) {
			request(&run, line + 9, found);
		} else if (strncmp(line, "pass: ", 6) == 0) {
			pass(&run, line + 6, found);
		} else if (strncmp(line, "scattered: ", 11) == 0) {
			scattered(&run, line + 11, found);
		} else if (strncmp(line, "rest: ", 6) == 0) {
			snprintf(found, sizeof(found), "%d", mio_pf_hints_rest(&run.hints, strtoll(line + 6, NULL, 10)));
		} else if (strcmp(line, "decided: yes") == 0) {
			decided(&run, found);
		} else if (strncmp(line, "front: ", 7) == 0) {
			run.vain = strcmp(line + 7, "vain") == 0;
			run.front = run.vain || strcmp(line + 7, "yes") == 0;
			run.there = strcmp(line + 7, "there") == 0;
		} else if (strcmp(line, "nudged: yes") == 0) {
			snprintf(found, LINE, "%ld", run.nudged);
		} else if (strcmp(line, "asked: yes") == 0) {
			snprintf(found, LINE, "%ld", run.asked);
		} else if (strcmp(line, "cached: yes") == 0) {
			mio_pf_hints_cached(&run.hints, &run.last);
		} else if (strncmp(line, "found: ", 7) == 0) {
			twin_answer(line, sizeof(line), found, title, lines);
		}
		if (update)
			puts(line);
	}
	fclose(file);
	mio_pf_hints_end(&run.hints);
	ASSERT(cases >= 10);
}

int main(void)
{
	RUN(should_tell_what_the_golden_cases_say);
	return TEST_RESULT();
}
