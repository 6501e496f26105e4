/*
 * The JDK keeps the number of a channel's descriptor in private fields that no Java code outside of the JDK
 * may read. JNI may: it has no access checks. This file needs only a few JNI functions, which lie at fixed
 * places in the table that every thread's JNIEnv points to. The places are part of the JNI specification
 * (chapter 4), so the machine that builds this needs neither jni.h nor a JDK. Java checks the class of the
 * channel by name before it calls.
 */
#include "jvm_descriptor.h"

#include "../os/os_descriptors.h"

#include <errno.h>
#include <stddef.h>

enum {
	EXCEPTION_CLEAR = 17,
	DELETE_LOCAL_REF = 23,
	GET_OBJECT_CLASS = 31,
	GET_FIELD_ID = 94,
	GET_OBJECT_FIELD = 95,
	GET_INT_FIELD = 100,
	EXCEPTION_CHECK = 228
};

typedef void *const *table;	/* what a JNIEnv points to */
typedef void (*any_function)(void);

static any_function function(void *env, int place)
{
	table functions = *(table *)env;
	union {
		void *data;
		any_function code;
	} entry = {.data = functions[place]};

	return entry.code;
}

static int failed(void *env)
{
	unsigned char (*exception_check)(void *) =
		(unsigned char (*)(void *))function(env, EXCEPTION_CHECK);
	void (*exception_clear)(void *) = (void (*)(void *))function(env, EXCEPTION_CLEAR);

	if (!exception_check(env))
		return 0;
	exception_clear(env);
	return 1;
}

static void *field_of(void *env, void *object, const char *name, const char *type)
{
	void *(*get_object_class)(void *, void *) = (void *(*)(void *, void *))function(env, GET_OBJECT_CLASS);
	void *(*get_field_id)(void *, void *, const char *, const char *) =
		(void *(*)(void *, void *, const char *, const char *))function(env, GET_FIELD_ID);
	void (*delete_local_ref)(void *, void *) = (void (*)(void *, void *))function(env, DELETE_LOCAL_REF);
	void *type_of = get_object_class(env, object);
	void *field;

	if (!type_of)
		return NULL;
	field = get_field_id(env, type_of, name, type);
	if (failed(env))
		field = NULL;
	delete_local_ref(env, type_of);
	return field;
}

MIO_JVM_EXPORT int mio_jvm_channel_descriptor(void *env, void *channel, const char *field)
{
	void *(*get_object_field)(void *, void *, void *);
	int32_t (*get_int_field)(void *, void *, void *);
	void (*delete_local_ref)(void *, void *);
	void *id;
	void *descriptor;
	int number = -1;

	if (!env || !channel || !field)
		return -1;
	get_object_field = (void *(*)(void *, void *, void *))function(env, GET_OBJECT_FIELD);
	get_int_field = (int32_t (*)(void *, void *, void *))function(env, GET_INT_FIELD);
	delete_local_ref = (void (*)(void *, void *))function(env, DELETE_LOCAL_REF);

	id = field_of(env, channel, field, "Ljava/io/FileDescriptor;");
	if (!id)
		return -1;
	descriptor = get_object_field(env, channel, id);
	if (!descriptor)
		return -1;
	id = field_of(env, descriptor, "fd", "I");
	if (id)
		number = get_int_field(env, descriptor, id);
	delete_local_ref(env, descriptor);
	return number;
}

struct bits {
	const int64_t *words;
	int count;
};

static int is_set(const void *of, int fd)
{
	const struct bits *bits = of;

	return fd / 64 < bits->count && ((uint64_t)bits->words[fd / 64] >> (fd % 64) & 1);
}

MIO_JVM_EXPORT int mio_jvm_descriptors_count(int64_t device, int64_t inode, const int64_t *known, int words, int32_t *readers_and_writers)
{
	struct bits bits = {known, words};
	struct mio_os_descriptors found;
	int rc;

	if (!readers_and_writers)
		return -EFAULT;
	rc = mio_os_descriptors_count((uint64_t)device, (uint64_t)inode, is_set, &bits, &found);
	if (rc == 0) {
		readers_and_writers[0] = found.readers;
		readers_and_writers[1] = found.writers;
	}
	return rc;
}
