/* Opens by a plan, composed as the door does it: what their reports and their events say of it. Twin of PlanTest. */
#include "assert_string.h"
#include "events_see.h"
#include "stack_fixture.h"

enum { PAGE = 4096, PAGES = 8 };

static char plan_path[4200], events_path[4200], report_path[4200];

static void read_pages(struct mio_stack *stack)
{
	static const int order[PAGES] = {3, 7, 0, 5, 1, 6, 2, 4};
	char bytes[PAGE];

	for (int i = 0; i < PAGES; i++)
		ASSERT_EQUAL(PAGE, mio_stack_read(stack, bytes, PAGE, (int64_t)order[i] * PAGE));
	ASSERT_EQUAL(0, mio_stack_close(stack));
}

/* Reads the file by a rule that records events, and reports on its pages. pf: begin of the layer pf. */
static void run(const char *pf)
{
	static int runs;
	char rule[20000];

	/* Each file is made at its first use in the process. */
	snprintf(events_path, sizeof(events_path), "%s.events%d", path, ++runs);
	snprintf(report_path, sizeof(report_path), "%s.report%d", path, runs);
	snprintf(rule, sizeof(rule), "trace/events={%s} | %s/stats={%s}/cache=64k/page=4k/private", events_path, pf, report_path);
	read_pages(open_by(rule, 1));
}

/* The number of decisions in the events file; the texts of the last one are copied. */
static int decisions(char what[64], char reason[5000])
{
	struct seen seen = see(events_path);
	const union mio_trace_record *record;
	int block = 0, at = -1, count = 0;

	while ((record = next_record(&seen, &block, &at)) != NULL) {
		const struct mio_trace_text *text = &record->text;
		char *to = text->kind == MIO_TRACE_TEXT_WHAT ? what : text->kind == MIO_TRACE_TEXT_REASON ? reason : NULL;

		count += record->event.type == MIO_TRACE_RECORD_DECISION;
		if (text->type == MIO_TRACE_RECORD_TEXT && to)
			/* Longer texts go on in the next record. */
			strncat(to, text->text, text->bytes);
	}
	see_no_more(&seen);
	return count;
}

static void tells(const char *pf, const char *what, const char *reason, const char *line)
{
	char found_what[64] = "", found_reason[5000] = "", report[8192] = "";
	FILE *file;

	run(pf);
	ASSERT_EQUAL(what ? 1 : 0, decisions(found_what, found_reason));
	ASSERT_STRING(what ? what : "", found_what);
	ASSERT_STRING(reason, found_reason);
	file = fopen(report_path, "re");
	ASSERT(file && fread(report, 1, sizeof(report) - 1, file) > 0);
	fclose(file);
	ASSERT(strstr(report, "pf close for "));
	ASSERT(what ? strstr(report, line) != NULL : !strstr(report, "plan :"));
	unlink(events_path);
	unlink(report_path);
}

static void should_tell_whether_there_is_a_plan(void)
{
	char pf[5000], reason[5000], line[5100];

	ASSERT_EQUAL(0, ftruncate(fd, PAGES * PAGE));
	snprintf(pf, sizeof(pf), "trace/events={%s}", plan_path);
	read_pages(open_by(pf, 0));
	snprintf(pf, sizeof(pf), "pf/plan={%s}", plan_path);
	tells(pf, "plan", "goes by a plan of 8 pages", "   8/8 requests by the plan : place=8/8 left=0\n");
	ASSERT_EQUAL(0, unlink(plan_path));
	snprintf(reason, sizeof(reason), "there is no file %s.none", plan_path);
	snprintf(pf, sizeof(pf), "pf/plan={%s.none}", plan_path);
	snprintf(line, sizeof(line), "   no plan : %s\n", reason);
	tells(pf, "no-plan", reason, line);
	tells("pf", NULL, "", "");
}

int main(void)
{
	char *whole;

	begin("plan");
	/* Reasons name whole paths. */
	whole = realpath(path, NULL);
	ASSERT(whole);
	snprintf(plan_path, sizeof(plan_path), "%s.plan", whole);
	free(whole);
	RUN(should_tell_whether_there_is_a_plan);
	return end();
}
