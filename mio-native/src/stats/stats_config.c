/* Makes the output as the configuration of the process wants it. */
#include <string.h>
#include <unistd.h>

#include "../config/config.h"
#include "stats_output.h"

static const char *const names[] = {
#define X(name) #name,
	MIO_DEBUG_LIST(X)
#undef X
};

static const char *value_of(const char *name)
{
	size_t length = strlen(name);

	for (char **entry = environ; entry && *entry; entry++)
		if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
			return *entry + length + 1;
	return NULL;
}

struct mio_stats_output *mio_stats_output_make(const struct mio_config *config, const char *(*engine)(void))
{
	/* Static, because a process has only one output. */
	static const char *keywords[MIO_DEBUG_KEYWORDS + 1];
	struct mio_stats_settings settings = {
		.stats = mio_config_text(config, MIO_CONFIG_STATS),
		.debug = mio_config_text(config, MIO_CONFIG_DEBUG),
		.files = mio_config_text(config, MIO_CONFIG_FILES),
		.defaults = mio_config_text(config, MIO_CONFIG_DEFAULTS),
		.keywords = keywords,
		.timestamps = mio_config_debug_is_on(config, MIO_DEBUG_TIMESTAMP),
		.engine = engine,
		.tz = value_of("TZ"),
		.tree = value_of("MIO_STATS_OWNER"),
		.hint = value_of("MIO_HINT"),
		.events_hint = value_of("MIO_HINT_EVENTS"),
	};
	size_t count = 0;

	for (int i = 0; i < MIO_DEBUG_KEYWORDS; i++)
		if (mio_config_debug_is_shown(config, (enum mio_debug_keyword)i))
			keywords[count++] = names[i];
	keywords[count] = NULL;
	return mio_stats_output_make_from(&settings);
}
