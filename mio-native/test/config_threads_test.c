/* One configuration, used by several threads. */
#include <errno.h>
#include <pthread.h>

#include "../src/config/config.h"
#include "assert_string.h"

#define THREADS 4
#define LISTS 50

static struct mio_config *config;
static const struct mio_stack_spec *found[THREADS][LISTS];

static void *use(void *argument)
{
	const struct mio_stack_spec **mine = argument;

	for (int i = 0; i < LISTS; i++) {
		struct mio_text error = {0};
		char list[40], name[40];

		snprintf(list, sizeof(list), "trace | pf/stride=%d", i + 1);
		snprintf(name, sizeof(name), "/d/%d.dat", i);
		ASSERT_EQUAL(0, mio_config_parse_stack(config, "modules", list, &mine[i], &error));
		ASSERT_EQUAL(4, mine[i]->count);
		ASSERT_EQUAL(i + 1, mine[i]->layers[2].values[MIO_PF_OPTION_STRIDE].number);
		ASSERT_STRING("trace", mio_config_match(config, name)->text);
		ASSERT_EQUAL(-EINVAL, mio_config_parse_stack(config, "modules", "pf/stride=0", &mine[i], &error));
		mio_text_clear(&error);
		ASSERT_EQUAL(0, mio_config_parse_stack(config, "modules", list, &mine[i], &error));
	}
	return NULL;
}

static void should_read_module_lists_in_several_threads(void)
{
	char *environment[] = {(char[]){"MIO_FILES=*.dat [ trace ]"}, NULL};
	struct mio_text error = {0};
	pthread_t threads[THREADS];

	ASSERT_EQUAL(0, mio_config_load_from("/nowhere", environment, &config, &error));
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, use, found[i]));
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_join(threads[i], NULL));
	for (int i = 0; i < LISTS; i++)
		for (int k = 1; k < THREADS; k++)
			ASSERT_STRING(found[0][i]->text, found[k][i]->text);
	mio_config_free(config);
}

int main(void)
{
	RUN(should_read_module_lists_in_several_threads);
	return TEST_RESULT();
}
