#include "config_sources.h"

#include <errno.h>
#include <string.h>

#include "config_file.h"
#include "config_nearest.h"
#include "config_properties.h"

static const char system_file[] = "/etc/mio/mio.conf";
static const char user_file[] = "/mio/mio.conf";
static const char config_variable[] = "MIO_CONFIG";

/* The settings collected so far, and the file that is being read. */
struct collection {
	struct mio_store *store;
	struct mio_settings *settings;
	struct mio_text *error;
	const char *file;
	const char *unknown;	/* of the keys that are no settings, the first in the alphabet; Java knows no other order */
};

const char *mio_environment_value(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (; environment && *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/* The value of a variable; NULL if it is not set or empty. */
static const char *value_of(char *const *environment, const char *name)
{
	const char *value = mio_environment_value(environment, name);

	return value && *value ? value : NULL;
}

int mio_config_is_off(const char *enabled)
{
	struct mio_slice word = mio_slice_trim((struct mio_slice){enabled, strlen(enabled)});

	return mio_slice_is(word, "false") || mio_slice_is(word, "0") || mio_slice_is(word, "no");
}

/* Joins the strings up to NULL. Without memory the result is "", and store->failed is set. */
static const char *joined(struct mio_store *store, const char *first, const char *second, const char *third,
			  const char *fourth)
{
	const char *parts[] = {first, second, third, fourth};
	struct mio_text text = {0};
	const char *string;

	for (size_t i = 0; i < 4 && parts[i]; i++)
		mio_text_add(&text, parts[i]);
	store->failed |= text.failed;
	string = mio_store_string(store, mio_text_string(&text), text.length);
	mio_text_clear(&text);
	return string ? string : "";
}

static void set(struct collection *collection, int key, const char *text, const char *origin)
{
	struct mio_config_source *source = &collection->settings->sources[key];

	source->origin = origin;
	source->text = mio_store_string(collection->store, text, strlen(text));
}

static int find_key(const char *id)
{
	for (int key = 0; key < MIO_CONFIG_KEYS; key++)
		if (strcmp(mio_config_key_id((enum mio_config_key)key), id) == 0)
			return key;
	return -1;
}

static void set_from_file(void *context, const char *id, const char *value)
{
	struct collection *collection = context;
	int key = find_key(id);

	if (key >= 0) {
		set(collection, key, value, joined(collection->store, "file ", collection->file, " key ", id));
	} else if (!collection->unknown || strcmp(id, collection->unknown) < 0) {
		collection->unknown = mio_store_string(collection->store, id, strlen(id));
	}
}

static int fail_unknown(struct collection *collection, const char *id)
{
	const char *ids[MIO_CONFIG_KEYS];
	struct mio_text list = {0};
	const char *nearest;
	int rc;

	for (int i = 0; i < MIO_CONFIG_KEYS; i++) {
		ids[i] = mio_config_key_id((enum mio_config_key)i);
		mio_text_add(&list, i > 0 ? ", " : "");
		mio_text_add(&list, ids[i]);
	}
	nearest = mio_nearest_find((struct mio_slice){id, strlen(id)}, ids, MIO_CONFIG_KEYS);
	rc = mio_config_error(collection->error, joined(collection->store, "file ", collection->file, " key ", id),
			      "there is no such setting", MIO_NEAREST_HINT(nearest), " (settings: ",
			      mio_text_string(&list), ")", NULL);
	mio_text_clear(&list);
	return rc;
}

static int take_contents(struct collection *collection, const struct mio_text *contents)
{
	int rc = mio_properties_read(mio_text_string(contents), contents->length, set_from_file, collection);

	if (rc == -EINVAL)
		return mio_config_error(collection->error,
					joined(collection->store, "file ", collection->file, NULL, NULL),
					"not in Java properties syntax: ", MIO_PROPERTIES_MALFORMED, "; correct it",
					NULL);
	if (rc == 0 && collection->unknown)
		return fail_unknown(collection, collection->unknown);
	return rc;
}

static int fail_unreadable(struct collection *collection, int error)
{
	const char *text = mio_config_error_text(error);
	struct mio_text number = {0};
	int rc;

	mio_text_add(&number, "error ");
	mio_text_add_number(&number, error);
	rc = mio_config_error(collection->error, config_variable, "cannot read ", collection->file, " (",
			      text ? text : mio_text_string(&number), "); name a readable file", NULL);
	mio_text_clear(&number);
	return rc;
}

/* Reads a settings file. named: the user has named this file, so it must be readable. */
static int read_file(struct collection *collection, const char *name, int named)
{
	struct mio_text contents = {0};
	int rc;

	collection->file = name;
	collection->unknown = NULL;
	rc = named && mio_config_file_may_wait(name) ? -ESPIPE : mio_config_file_read(name, &contents);
	if (rc == 0)
		rc = take_contents(collection, &contents);
	else if (named)
		rc = fail_unreadable(collection, -rc);
	else
		rc = 0;
	mio_text_clear(&contents);
	return rc;
}

/* Reads a settings file that nobody named: a program must not fail because it does not exist or may not be read. */
static int read_optional_file(struct collection *collection, const char *name)
{
	return mio_config_file_is_regular(name) ? read_file(collection, name, 0) : 0;
}

/* The directory of the user's settings, or NULL. */
static const char *user_directory(struct mio_store *store, char *const *environment)
{
	const char *config = value_of(environment, "XDG_CONFIG_HOME");
	const char *home = value_of(environment, "HOME");

	if (config)
		return config;
	return home ? joined(store, home, "/.config", NULL, NULL) : NULL;
}

static int read_files(struct collection *collection, const char *root, char *const *environment)
{
	const char *user = user_directory(collection->store, environment);
	const char *named = value_of(environment, config_variable);
	int rc = read_optional_file(collection, joined(collection->store, root, system_file, NULL, NULL));

	if (rc == 0 && user)
		rc = read_optional_file(collection, joined(collection->store, user, user_file, NULL, NULL));
	if (rc == 0 && named)
		rc = read_file(collection, named, 1);
	return rc;
}

int mio_config_collect(const char *root, char *const *environment, struct mio_store *store,
		       struct mio_settings *settings, struct mio_text *error)
{
	struct collection collection = {.store = store, .settings = settings, .error = error};
	const char *enabled = mio_environment_value(environment, mio_config_key_variable(MIO_CONFIG_ENABLED));
	int rc = 0;

	memset(settings, 0, sizeof(*settings));
	/* If MIO is switched off, files are not read: a mistake in a file must not keep the user from switching MIO off. */
	if (!enabled || !mio_config_is_off(enabled))
		rc = read_files(&collection, root, environment);
	for (int key = 0; rc == 0 && key < MIO_CONFIG_KEYS; key++) {
		const char *variable = mio_config_key_variable((enum mio_config_key)key);
		const char *value = mio_environment_value(environment, variable);

		if (value)
			set(&collection, key, value, variable);
	}
	return store->failed ? -ENOMEM : rc;
}
